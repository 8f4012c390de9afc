import { canonicalJson, sha256 } from '../base/digest.ts';
import type { EventFacts, Facts } from '../model/facts.ts';
import type { ToolCall } from '../model/tool-call.ts';
import type { Overlay, World } from '../model/world.ts';
import { overlay } from '../world/overlay.ts';
import { fetchTool } from './fetch-tool.ts';
import { editTool, readTool, searchTool, writeTool } from './file-tools.ts';
import { type Findings, NOTHING, seen } from './findings.ts';
import { genericTool } from './generic-tool.ts';
import { withLaterRuns } from './later.ts';
import { withLiteralSecrets } from './leaks.ts';
import { shellTool } from './shell-tool.ts';

/**
 * Everything that rules can see of one call: what its tool would do, seen on this world. Takes the world as it is
 * before the call and changes nothing. Events without a tool have no findings.
 */
export function factsOf(call: ToolCall, world: World): Facts {
  const before = overlay(world);
  const findings = withLiteralSecrets(withLaterRuns(findingsOf(call, before), before));
  return {
    event: eventOf(call, world),
    tool: {
      name: call.tool,
      raw: call.rawTool,
      mcp_server: call.mcp?.server ?? '',
      mcp_tool: call.mcp?.tool ?? '',
      input: call.input,
    },
    commands: findings.commands,
    files: findings.files,
    dests: findings.dests,
    effects: findings.effects,
    unknowns: findings.unknowns,
    result: call.result,
    git: world.git(),
  };
}

function findingsOf(call: ToolCall, world: Overlay): Findings {
  const direct = (found: Parameters<typeof seen>[0]): Findings => seen(found, call.cwd, call.rawTool, world);
  switch (call.tool) {
    case 'shell':
      return shellTool(call, world);
    case 'read':
      return direct(readTool(call, world));
    case 'write':
      return direct(writeTool(call, world));
    case 'edit':
      return direct(editTool(call, world));
    case 'search':
      return direct(searchTool(call, world));
    case 'fetch':
      return direct(fetchTool(call, world));
    case 'mcp':
      return genericTool(call, world);
    case 'task':
      return NOTHING;
    case 'other':
      return call.rawTool === '' ? NOTHING : genericTool(call, world);
  }
}

function eventOf(call: ToolCall, world: World): EventFacts {
  return {
    name: call.event,
    agent: call.agent,
    agent_version: call.agentVersion,
    depth: call.subagent ? 1 : 0,
    subagent: call.subagent !== null,
    session: call.session,
    cwd: call.cwd,
    workspace: world.workspace,
    home: world.home,
    user: world.user,
    permission_mode: call.permissionMode ?? '',
    interactive: call.detail['interactive'] !== false,
    call_digest: callDigest(call),
  };
}

/**
 * SHA-256 of the canonical tool name and input: the same call has the same digest in every session. What a model says
 * of a shell command beside it is left out: it words that anew each time.
 */
function callDigest(call: Pick<ToolCall, 'tool' | 'rawTool' | 'input'>): string {
  const input = call.tool === 'shell' ? { ...call.input, description: undefined } : call.input;
  return sha256(canonicalJson({ tool: call.rawTool, input }));
}
