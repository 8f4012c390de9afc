import { openWriter } from '../../../src/audit/write/writer.ts';
import type { GovPaths } from '../../../src/base/gov-paths.ts';
import type { CommandFact, DestFact, Facts, FileFact } from '../../../src/model/facts.ts';
import type { RecordDraft } from '../../../src/model/record.ts';
import type { StepRow } from '../../../src/replay/session.ts';
import { callOf, decisionOf, draftOf, factsOf, hitOf } from '../audit/draft.ts';

export const START = Date.UTC(2026, 0, 5, 9);
const WORKSPACE = '/home/dev/project';

/** A row of a timeline; what is not named is an allowed shell call. */
export function rowOf(over: Partial<StepRow> = {}): StepRow {
  return {
    seq: 1,
    id: `1ke6p0000${String(over.seq ?? 1).padStart(2, '0')}aaaaaaaaa`,
    kind: 'decision',
    at: START,
    event: 'PreToolUse',
    tool: 'shell',
    raw_tool: 'Bash',
    answer: 'allow',
    enforced: 1,
    effect: 'allow',
    rule: '',
    rules: '',
    call_id: `toolu_${over.seq ?? 1}`,
    programs: ' ls ',
    repo: WORKSPACE,
    summary: 'ls',
    latency_us: 1000,
    faulty: 0,
    ...over,
  };
}

function fileOf(over: Partial<FileFact>): FileFact {
  const [base] = factsOf(callOf('rm build'), ['rm', 'build']).files;
  return { ...(base as FileFact), ...over };
}

function commandOf(text: string, source: string, over: Partial<CommandFact> = {}): CommandFact {
  const [base] = factsOf(callOf(text), text.split(' ')).commands;
  const start = source.indexOf(text);
  return {
    ...(base as CommandFact),
    text,
    targets: [],
    span: start < 0 ? null : { start, end: start + text.length },
    ...over,
  };
}

/** Text that would do harm on a terminal, hide, or take two cells a character. */
export const NASTY =
  'echo \u001b[2J\u001b]0;owned\u0007 \u202egpj.exe\u202c a\u200bb \u{e0041}\u{e0042} 価格 ✨ e\u0301\u0301\u0301\u0301\u0301';

const ssh = "ssh build@ci.example 'cd /srv && sudo rm -rf data' && git push --force";

function sshFacts(): Facts {
  const base = factsOf(callOf(ssh), ssh.split(' '));
  const dest: DestFact = {
    host: 'ci.example',
    port: 22,
    scheme: 'ssh',
    url: '',
    loopback: false,
    metadata: false,
    sends: 'nothing',
    method: '',
    certain: true,
    command: 0,
  };
  const gone = fileOf({ path: 'data', real: '/srv/data', zone: 'system', reversible: 'no', command: 2 });
  return {
    ...base,
    files: [gone],
    dests: [dest],
    commands: [
      commandOf("ssh build@ci.example 'cd /srv && sudo rm -rf data'", ssh, { id: 0, name: 'ssh', dests: [dest] }),
      commandOf('cd /srv', ssh, { id: 1, parent: 0, name: 'cd', elsewhere: 'remote', cwd: null }),
      commandOf('rm -rf data', ssh, {
        id: 2,
        parent: 0,
        name: 'rm',
        elsewhere: 'remote',
        privileged: true,
        via: ['sudo'],
        targets: [gone],
        cwd: null,
      }),
      commandOf('git push --force', ssh, {
        id: 3,
        name: 'git',
        effects: [
          {
            kind: 'vcs-force-push',
            target: 'origin',
            detail: 'overwrites the branch',
            force: true,
            recursive: false,
            certain: true,
            command: 3,
          },
        ],
      }),
    ],
    effects: [],
    unknowns: [{ reason: 'parse error', text: 'fi', span: null }],
  };
}

/** Drafts of one session of everything that the viewers tell apart, with fixed ids and times. */
function sessionDrafts(session = 'alpha-1'): readonly RecordDraft[] {
  let n = 0;
  let at = START;
  const drafts: RecordDraft[] = [];
  const add = (
    command: string,
    after: number,
    over: Partial<RecordDraft> & { readonly call?: RecordDraft['call'] } = {},
  ): void => {
    n++;
    at += after;
    const id = `1ke6p0000${String(n).padStart(2, '0')}${session.replace(/[^a-z0-9]/g, '')}zzzzzzzzz`.slice(0, 20);
    const call = { ...callOf(command, { callId: `toolu_${session}_${n}` }), ...over.call, session };
    drafts.push(draftOf(command, { ...over, id, at, call }));
  };
  const outcome = (failed: boolean, text: string, after: number): void => {
    const before = drafts[drafts.length - 1] as RecordDraft;
    const event = failed ? 'PostToolUseFailure' : 'PostToolUse';
    const result = { text, exitCode: failed ? 1 : 0, failed, interrupted: false, durationMs: after };
    add('', after, {
      kind: 'outcome',
      call: { ...before.call, event, rawEvent: event, result },
      facts: null,
      decision: null,
      answer: '',
    });
  };
  add('', 0, {
    kind: 'session',
    call: callOf('', {
      event: 'SessionStart',
      rawEvent: 'SessionStart',
      tool: 'other',
      rawTool: '',
      callId: null,
      input: {},
    }),
    facts: null,
    decision: null,
    answer: '',
  });
  add('npm test', 400);
  outcome(true, 'not ok 1\n\u001b[31mred\u001b[0m\n', 1200);
  const edit = callOf('', {
    tool: 'edit',
    rawTool: 'Edit',
    input: { file_path: `${WORKSPACE}/src/cart.js`, old_string: 'a\nb\nc\n', new_string: 'a\nB\nc\n' },
    callId: 'toolu_edit',
  });
  add('', 5000, {
    call: edit,
    facts: {
      ...factsOf(edit, []),
      commands: [],
      files: [
        fileOf({
          op: 'write',
          path: 'src/cart.js',
          real: `${WORKSPACE}/src/cart.js`,
          recursive: false,
          force: false,
          added: 1,
          removed: 1,
          reversible: 'tracked',
          command: -1,
        }),
      ],
    },
  });
  outcome(false, 'ok', 30);
  add(NASTY, 3000);
  const push = [
    hitOf('git.force-push', 'deny', {
      subject: 'git push --force',
      message: 'rewrites the history of others',
      remediation: 'use --force-with-lease',
    }),
    hitOf('net.ssh', 'ask', {
      message: 'runs commands on ci.example',
      subject: 'ssh build@ci.example',
      severity: 'medium',
    }),
    hitOf('fs.shadow', 'deny', { enforced: false, message: 'tried only' }),
    hitOf('fs.old', 'deny', { lifted_by: 'grant K7QF', message: 'was lifted' }),
  ];
  const denied = { ...decisionOf('deny', push), reason: 'This call would rewrite the history of others.' };
  add(ssh, 700, {
    facts: sshFacts(),
    decision: { ...denied, trace: [...denied.trace, { rule: 'core.quiet', outcome: 'false', subject: '', note: '' }] },
    answer: 'deny',
  });
  const apply = decisionOf('ask', [
    hitOf('infra.apply', 'ask', { subject: 'terraform apply', message: 'changes shared resources' }),
  ]);
  add('terraform apply', 600_000, {
    decision: { ...apply, reason: 'This call would change shared resources.' },
    answer: 'ask',
  });
  outcome(false, 'Apply complete!\n', 8000);
  add('rm -rf build', 50, { decision: decisionOf('deny', [hitOf('fs.delete')]), answer: 'allow', enforced: false });
  return drafts;
}

/** Writes them through the real writer. */
export function fillStore(paths: GovPaths, sessions: readonly string[] = ['alpha-1']): void {
  const writer = openWriter(paths);
  for (const session of sessions) for (const draft of sessionDrafts(session)) writer.append(draft);
  writer.close();
}
