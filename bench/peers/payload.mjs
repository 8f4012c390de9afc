// A case of the corpus as what Claude Code would hand to a PreToolUse hook, and the files that it takes for granted.
// Commands are text in here and stay text: nothing in this folder runs them.
import { posix } from 'node:path';

/** Where the cases happen: each guard gets a private directory at this place. */
export const HOME = '/home/dev';
export const WORKSPACE = `${HOME}/project`;

/** The payload of one case: the fields that Claude Code 2.1 sends, in its order. A session of its own for each case. */
export function payloadOf(testCase) {
  const session = `peers-${testCase.id}`;
  const server = /^mcp__(.+?)__/.exec(testCase.tool)?.[1];
  return {
    session_id: session,
    transcript_path: `${HOME}/.claude/projects/-home-dev-project/${session}.jsonl`,
    cwd: testCase.cwd,
    permission_mode: 'default',
    hook_event_name: 'PreToolUse',
    tool_name: testCase.tool,
    tool_input: testCase.input,
    tool_use_id: `toolu_${testCase.id}`,
    ...(server === undefined ? {} : { mcp_server: { name: server, source: 'dynamic' } }),
  };
}

/**
 * What has to lie on the disk for a case: files and links with absolute paths, in the order in which they can be made.
 * Paths are relative to the workspace (so `~/x` is a directory named `~` in it). Throws on a place outside of /home,
 * which is the only one that a guard has for itself.
 */
export function worldOf(testCase) {
  const { home = HOME, workspace = WORKSPACE, files = {}, symlinks = {} } = testCase.world ?? {};
  if (home !== HOME || workspace !== WORKSPACE) throw new Error(`${testCase.id}: happens in ${workspace} of ${home}`);
  const place = (path) => {
    const full = posix.resolve(WORKSPACE, path);
    if (!full.startsWith('/home/')) throw new Error(`${testCase.id}: ${full} can't be laid out`);
    return full;
  };
  return [
    ...Object.entries(symlinks).map(([path, target]) => ({ path: place(path), target })),
    ...Object.entries(files).map(([path, content]) => ({ path: place(path), content })),
  ];
}
