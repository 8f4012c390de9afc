import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Agent } from '../../src/agents/agent.ts';
import { agentNamed } from '../../src/agents/index.ts';
import { openStore, type Store } from '../../src/audit/read/store.ts';
import { openWriter, type Writer } from '../../src/audit/write/writer.ts';
import { type GovPaths, govPaths } from '../../src/base/gov-paths.ts';
import { factsOf } from '../../src/facts/facts.ts';
import { approve, type Choices, type Proposal, propose } from '../../src/grants/approve.ts';
import type { ElevationSettings } from '../../src/grants/approvers.ts';
import { grantsInForce, takingUses } from '../../src/grants/in-force.ts';
import { answerKeys, refusalOf } from '../../src/grants/person-said.ts';
import { findRequest, readRequests } from '../../src/grants/requests.ts';
import { signTerms } from '../../src/grants/signature.ts';
import { stopFor } from '../../src/grants/stop.ts';
import { handle } from '../../src/hook/handle.ts';
import type { GrantState } from '../../src/model/grant.ts';
import type { CompiledPolicy } from '../../src/model/policy.ts';
import { decide } from '../../src/policy/decide.ts';
import { fixtureWorld } from '../../src/world/fixture.ts';
import { compileBuiltin } from './policy.ts';

const HOME = '/home/dev';
const WORKSPACE = '/home/dev/project';

/** A call as an agent announces it. */
export interface Announced {
  readonly command: string;
  readonly session?: string;
  readonly event?: string;
  readonly agent?: 'claude-code' | 'codex';
  readonly callId?: string;
  readonly description?: string;
}

export interface Answered {
  readonly answer: string;
  /** The decision's id. */
  readonly id: string;
  readonly text: string;
  /** What lifted rules. */
  readonly lifted: readonly string[];
}

/** A store of its own, the built-in rules and the hook's whole story in this process, with a clock that tests set. */
export interface Governed {
  readonly paths: GovPaths;
  readonly writer: Writer;
  readonly clock: { now: number };
  readonly settings: { maxMs: number; approvers: ElevationSettings['approvers'] };
  policy: CompiledPolicy;
  call(what: Announced): Answered;
  /** What a person does at the terminal, without the terminal. */
  approve(
    code: string,
    choices?: Partial<Choices>,
    keys?: readonly string[],
    note?: string,
  ): Proposal & { readonly state: GrantState };
  store<T>(use: (store: Store) => T): T;
  close(): void;
}

export const START = Date.UTC(2026, 0, 1, 12);
const AS_ASKED: Choices = { forMs: null, uses: null, path: null, session: null, exact: null, reason: 'a test' };
let builtin: CompiledPolicy | undefined;

export function governed(): Governed {
  const dir = mkdtempSync(join(tmpdir(), 'gov-grants-'));
  const paths = govPaths({ GOV_HOME: dir, HOME: dir });
  const writer = openWriter(paths);
  const clock = { now: START };
  const settings = { maxMs: 8 * 3_600_000, approvers: [] as ElevationSettings['approvers'] };
  builtin ??= compileBuiltin('recommended');
  const store = <T>(use: (store: Store) => T): T => {
    const opened = openStore(paths.database);
    try {
      return use(opened);
    } finally {
      opened.close();
    }
  };
  const place: Governed = {
    paths,
    writer,
    clock,
    settings,
    policy: builtin,
    store,
    call: (what) => announce(place, what),
    approve(code, choices = {}, keys = [], note = '') {
      const request = findRequest(
        store((open) => readRequests(open, clock.now)),
        code,
      );
      const proposal = propose(
        request,
        { ...AS_ASKED, ...choices },
        { policy: place.policy, settings, approver: 'dev', now: clock.now },
      );
      const signatures = keys.map((pem) => signTerms(proposal.terms, pem, settings.approvers));
      return {
        ...proposal,
        state: approve(writer, proposal.terms, signatures, settings, { note, keys: answerKeys(request) }),
      };
    },
    close() {
      writer.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
  return place;
}

function announce(place: Governed, what: Announced): Answered {
  const { clock, writer } = place;
  let last: { id: string; answer: string; lifted: readonly string[] } = { id: '', answer: '', lifted: [] };
  const payload = {
    session_id: what.session ?? 's1',
    cwd: WORKSPACE,
    permission_mode: 'default',
    hook_event_name: what.event ?? 'PreToolUse',
    tool_name: 'Bash',
    tool_use_id: what.callId ?? 'toolu_1',
    tool_input: { command: what.command, ...(what.description ? { description: what.description } : {}) },
    ...(what.event?.startsWith('PostToolUse') ? { tool_response: { stdout: 'x' } } : {}),
  };
  const output = handle(
    { ok: true, text: JSON.stringify(payload) },
    {
      part: 'gate',
      agent: agentNamed(what.agent ?? 'claude-code') as Agent,
      env: {},
      config: { mode: 'enforce', preset: 'recommended' },
      faults: [],
      now: () => clock.now,
      elapsed: () => 1,
      inTime: (run) => run(),
      isOverdue: () => false,
      policy: () => ({ policy: place.policy, faults: [] }),
      factsOf: (call) => factsOf(call, fixtureWorld({ home: HOME, workspace: WORKSPACE, git: { branch: 'topic' } })),
      decide,
      stopped: (session) => stopFor(place.paths, session),
      grants: (facts, gone) =>
        grantsInForce(writer, { facts, gone, now: clock.now, approvers: () => place.settings.approvers }),
      refused: (facts, rules) => refusalOf(writer, { facts, rules, now: clock.now }),
      append: (draft, takes = []) => {
        const lifted = draft.decision?.rules.map((hit) => hit.lifted_by).filter((name) => name !== '') ?? [];
        const done =
          takes.length === 0
            ? writer.append(draft)
            : writer.append(
                draft,
                takingUses(takes, draft.call.session, () => clock.now),
              );
        last = { id: draft.id, answer: draft.answer, lifted };
        return done;
      },
      mark: () => {},
    },
  );
  return { ...last, text: output.stderr || output.stdout };
}
