import { describe, expect, it } from 'vitest';
import type { Facts } from '../../../src/model/facts.ts';
import { type DecisionContext, decide } from '../../../src/policy/decide.ts';
import type { EvidenceAsk } from '../../../src/policy/scope.ts';
import { command, dest, effect, facts, file, NOW, policyOf, rule } from './facts.ts';

const OUTSIDE = rule('fs.outside', 'file', 'file.op == "delete" && outside(file)');

function run(rules: readonly string[], given: Facts, context: Partial<DecisionContext> = {}) {
  return decide(policyOf(...rules), given, { now: NOW, ...context });
}

/** Answer, deciding rule and why, in one line. */
function brief(rules: readonly string[], given: Facts, context: Partial<DecisionContext> = {}): string {
  const d = run(rules, given, context);
  const hit = d.rules.find((h) => h.id === d.rule);
  return [d.answer, d.rule ?? '-', hit?.because ?? '-'].join(' ');
}

const deletes = (real: string | null, more = {}) => facts({ files: [file('delete', real, more)] });

describe('one rule', () => {
  it.each<[string, Facts, string]>([
    ['fires', deletes('/etc/x'), 'deny fs.outside match'],
    ['is silent', deletes('/home/dev/project/x'), 'allow - -'],
    ['is silent without items', facts(), 'allow - -'],
    ['asks when it can not know', deletes(null), 'ask fs.outside dynamic'],
    ['asks when it is a guess', deletes('/etc/x', { certain: false }), 'ask fs.outside uncertain'],
    ['is silent where the unknown does not matter', facts({ files: [file('read', null)] }), 'allow - -'],
    [
      'is not asked at other events',
      { ...deletes('/etc/x'), event: { ...facts().event, name: 'PostToolUse' } },
      'allow - -',
    ],
  ])('%s', (_name, given, want) => {
    expect(brief([OUTSIDE], given)).toBe(want);
  });

  it.each<[string, string, string]>([
    ['on_dynamic: match', 'effect: deny\non_dynamic: match', 'deny x.y dynamic'],
    ['on_dynamic: ignore', 'effect: deny\non_dynamic: ignore', 'allow - -'],
    ['an advisory rule', 'effect: deny\nlevel: advisory', 'allow - -'],
    ['halt becomes a question', 'effect: halt', 'ask x.y dynamic'],
    ['what is milder than a question stays', 'effect: warn', 'allow x.y dynamic'],
    ['allow never rests on the unknown', 'effect: allow', 'allow - -'],
  ])('unknown: %s', (_name, more, want) => {
    expect(brief([rule('x.y', 'file', 'file.zone == "secret"', more)], deletes(null))).toBe(want);
  });

  it.each<[string, string, string]>([
    ['hard', 'effect: ask\nlevel: hard', 'deny x.y error'],
    ['soft', 'effect: deny\nlevel: soft', 'ask x.y error'],
    ['advisory', 'effect: deny\nlevel: advisory', 'allow - -'],
    ['on_error', 'effect: warn\nlevel: advisory\non_error: deny', 'deny x.y error'],
  ])('a condition that fails: %s', (_name, more, want) => {
    expect(brief([rule('x.y', 'file', '10 / file.added > 1', more)], deletes('/etc/x'))).toBe(want);
  });

  it('records an error that is skipped', () => {
    const d = run([rule('x.y', 'file', '10 / file.added > 1', 'effect: deny\non_error: skip')], deletes('/etc/x'));
    expect(d.trace).toEqual([{ rule: 'x.y', outcome: 'error', subject: 'delete /etc/x', note: 'division by zero' }]);
  });
});

describe('what a rule ranges over', () => {
  const given = facts({
    commands: [
      command('rm', { effects: [effect('vcs-push')], flags: ['r'], operands: ['a'] }),
      command('ls', { id: 1 }),
    ],
    files: [file('write', '/home/dev/project/a')],
    dests: [dest('api.example.org')],
    effects: [effect('vcs-push')],
    unknowns: [
      { reason: 'a quote is not closed', text: 'echo "', span: { start: 3, end: 9 } },
      { reason: 'more commands than are analysed', text: 'x', span: null },
    ],
  });
  it.each<[string, string, string, string]>([
    ['call', '', 'commands.size() == 2 && files.size() == 1', 'Bash'],
    ['command', 'command', 'command.name == "rm" && command.hasFlag("R", "r")', 'rm'],
    ['a command by effect', 'command', 'command.does("vcs-*")', 'rm'],
    ['file', 'file', 'file.op == "write"', 'write /home/dev/project/a'],
    ['dest', 'dest', 'dest.inDomain("example.org")', 'api.example.org:443'],
    ['effect', 'effect', 'effect.kind == "vcs-push"', 'vcs-push'],
    ['what was not parsed', 'effect', 'effect.kind == "unparsed"', 'unparsed a quote is not closed'],
    ['what was too much', 'effect', 'effect.kind == "bound-reached"', 'bound-reached more commands than are analysed'],
    ['parameters', '', 'params.most == 10', 'Bash'],
  ])('%s', (_name, each, when, subject) => {
    const d = run([rule('x.y', each, when)], given);
    expect(d.rules.map((h) => [h.id, h.because, h.subject])).toEqual([['x.y', 'match', subject]]);
  });

  it('keeps the span of the item, of its command, or of the text', () => {
    const spans = (each: string, when: string) => run([rule('x.y', each, when)], given).rules[0]?.span;
    expect(spans('command', 'command.name == "rm"')).toEqual({ start: 0, end: 4 });
    expect(spans('effect', 'effect.kind == "unparsed"')).toEqual({ start: 3, end: 9 });
    expect(spans('file', 'file.op == "write"')).toBeNull();
  });
});

describe('the filters before a condition', () => {
  const rm = facts({ commands: [command('rm')] });
  it.each<[string, string, Facts, string]>([
    ['a program', 'programs: [rm]', rm, 'deny'],
    ['another program', 'programs: [mv]', rm, 'allow'],
    ['a program of unknown name', 'programs: [rm]', facts({ commands: [command(null)] }), 'allow'],
    ['the tool', 'tools: [shell]', rm, 'deny'],
    ['another tool', 'tools: [write]', rm, 'allow'],
    ['the agent', 'agents: [claude-code]', rm, 'deny'],
    ['another agent', 'agents: [codex]', rm, 'allow'],
    ['switched off', 'mode: "off"', rm, 'allow'],
    ['shadow', 'mode: shadow', rm, 'allow'],
  ])('%s', (_name, more, given, want) => {
    expect(run([rule('x.y', 'command', 'true', `effect: deny\n${more}`)], given).answer).toBe(want);
  });

  it.each<[string, Facts, string]>([
    ['file', facts({ commands: [command('rm')], files: [file('delete', '/x', { command: 0 })] }), 'deny'],
    ['file', facts({ commands: [command('mv')], files: [file('delete', '/x', { command: 0 })] }), 'allow'],
    ['file', facts({ commands: [command('rm')], files: [file('delete', '/x')] }), 'allow'],
    ['effect', facts({ commands: [command('rm')], effects: [effect('publish', { command: 0 })] }), 'deny'],
    ['', facts({ commands: [command('ls'), command('rm', { id: 1 })] }), 'deny'],
    ['', facts({ commands: [command('ls')] }), 'allow'],
  ])('programs hold for each %s too', (each, given, want) => {
    expect(run([rule('x.y', each, 'true', 'effect: deny\nprograms: [rm]')], given).answer).toBe(want);
  });

  it('a name that the condition compares may be the unknown one', () => {
    const d = run([rule('x.y', 'command', 'command.name == "rm"')], facts({ commands: [command(null)] }));
    expect([d.answer, d.rules[0]?.because]).toEqual(['ask', 'dynamic']);
  });

  it('shadow is recorded and not enforced', () => {
    const [hit] = run([rule('x.y', 'command', 'true', 'effect: deny\nmode: shadow')], rm).rules;
    expect([hit?.effect, hit?.enforced]).toEqual(['deny', false]);
  });
});

describe('unknown words of a command', () => {
  const push = (operands: string[]) =>
    facts({
      commands: [command('git', { subcommand: 'push', dynamic: true, operands, unknown_words: ['$B is not known'] })],
    });
  const protect = rule(
    'git.main',
    'command',
    'command.subcommand == "push" && command.operands.exists(o, o == "main")',
  );
  it.each<[string, string[], string]>([
    ['known', ['origin', 'main'], 'deny'],
    ['other', ['origin', 'topic'], 'allow'],
    ['unknown', ['origin', '${B is not known}'], 'ask'],
    ['unknown beside a match', ['${x}', 'main'], 'deny'],
  ])('%s', (_name, operands, want) => {
    expect(run([protect], push(operands)).answer).toBe(want);
  });

  it('is named in the message', () => {
    expect(run([protect], push(['${B is not known}'])).reason).toBe(
      "Title of git.main. Whether that holds here can't be known: $B is not known.",
    );
  });
});

describe('guesses', () => {
  it.each<[string, Facts, string]>([
    ['an effect', facts({ commands: [command('x', { effects: [effect('exec-remote', { certain: false })] })] }), 'ask'],
    ['a sure effect', facts({ commands: [command('x', { effects: [effect('exec-remote')] })] }), 'deny'],
    [
      'a sure one beside a guess',
      facts({
        commands: [command('x', { effects: [effect('exec-remote', { certain: false }), effect('exec-remote')] })],
      }),
      'deny',
    ],
  ])('%s', (_name, given, want) => {
    expect(run([rule('x.y', 'command', 'command.does("exec-remote")')], given).answer).toBe(want);
  });

  it('in a list', () => {
    const given = facts({ commands: [command('x', { targets: [file('delete', '/etc/x', { certain: false })] })] });
    const d = run([rule('x.y', 'command', 'command.targets.exists(f, outside(f))')], given);
    expect([d.answer, d.rules[0]?.because]).toEqual(['ask', 'uncertain']);
  });
});

describe('guesses under on_dynamic: ignore', () => {
  const guess = { certain: false };
  const scanned = facts({
    commands: [command('x', { effects: [effect('exec-remote', guess)], targets: [file('delete', '/etc/x', guess)] })],
    files: [file('delete', '/etc/x', guess)],
    dests: [dest('evil.example', guess)],
    effects: [effect('exec-remote', guess)],
  });
  it.each<[string, string, string, string, string]>([
    ['a file', 'file', 'file.op == "delete" && outside(file)', 'deny', 'ask uncertain'],
    ['a destination', 'dest', 'dest.inDomain("evil.example")', 'deny', 'ask uncertain'],
    ['an effect', 'effect', 'effect.kind == "exec-remote"', 'halt', 'ask uncertain'],
    ["a command's effect", 'command', 'command.does("exec-remote")', 'deny', 'ask uncertain'],
    ["a command's file", 'command', 'command.targets.exists(f, outside(f))', 'deny', 'ask uncertain'],
    ['what is milder than a question stays', 'file', 'outside(file)', 'warn', 'allow uncertain'],
    ['allow holds for what may not come to be', 'file', 'outside(file)', 'allow', 'allow match'],
    ['allow never rests on a guess', 'command', 'command.does("exec-remote")', 'allow', 'allow -'],
    ['a guess that does not match', 'file', 'file.op == "read"', 'deny', 'allow -'],
    ['a guess that excuses', 'command', '!command.does("exec-remote")', 'deny', 'allow -'],
    ['a guess beside what is not known', 'command', 'command.does("exec-remote") && git.dirty', 'deny', 'allow -'],
  ])('%s', (_name, each, when, verb, want) => {
    const d = run([rule('x.y', each, when, `effect: ${verb}\non_dynamic: ignore`)], scanned);
    expect(`${d.answer} ${d.rules[0]?.because ?? '-'}`).toBe(want);
  });

  it('an advisory rule, which ignores by default, asks too', () => {
    const d = run([rule('x.y', 'file', 'outside(file)', 'effect: deny\nlevel: advisory')], scanned);
    expect([d.answer, d.rules[0]?.because]).toEqual(['ask', 'uncertain']);
  });
});

describe('several rules', () => {
  const given = facts({ commands: [command('rm')] });
  const all = (...effects: [string, string, string?][]) =>
    effects.map(([id, e, severity]) => rule(id, 'command', 'true', `effect: ${e}\nseverity: ${severity ?? 'low'}`));
  it.each<[string, [string, string, string?][], string]>([
    [
      'the strictest wins',
      [
        ['a.a', 'ask'],
        ['a.b', 'deny'],
        ['a.c', 'warn'],
      ],
      'deny a.b match',
    ],
    [
      'halt is stricter than deny',
      [
        ['a.a', 'deny'],
        ['a.b', 'halt'],
      ],
      'halt a.b match',
    ],
    [
      'ties go by severity',
      [
        ['a.a', 'deny', 'low'],
        ['a.b', 'deny', 'critical'],
      ],
      'deny a.b match',
    ],
    [
      'then by id',
      [
        ['a.b', 'deny'],
        ['a.a', 'deny'],
      ],
      'deny a.a match',
    ],
    [
      'allow never beats',
      [
        ['a.a', 'allow', 'critical'],
        ['a.b', 'ask', 'low'],
      ],
      'ask a.b match',
    ],
  ])('%s', (_name, effects, want) => {
    expect(brief(all(...effects), given)).toBe(want);
  });

  it('all that fired are kept, strictest first', () => {
    const d = run(all(['a.a', 'warn'], ['a.b', 'deny'], ['a.c', 'ask']), given);
    expect(d.rules.map((h) => h.id)).toEqual(['a.b', 'a.c', 'a.a']);
  });

  it('keeps at most eight hits of one rule', () => {
    const many = facts({ files: Array.from({ length: 50 }, (_, i) => file('delete', `/etc/${i}`)) });
    expect(run([OUTSIDE], many).rules).toHaveLength(8);
  });

  it('finds the one sure hit among many unsure ones', () => {
    const many = facts({
      files: [...Array.from({ length: 50 }, () => file('delete', null)), file('delete', '/etc/x')],
    });
    expect(brief([OUTSIDE], many)).toBe('deny fs.outside match');
  });
});

describe('effects that an agent can not do', () => {
  const given = facts({ commands: [command('rm')] });
  const can = (...effects: string[]) => ({ can: (e: string) => effects.includes(e) });
  it.each<[string, string, string[], string]>([
    ['it can', 'effect: ask\nfallback: [deny]', ['ask', 'deny'], 'ask'],
    ['it falls back', 'effect: ask\nfallback: [halt, deny]', ['deny'], 'deny'],
    ['no fallback', 'effect: ask', ['deny'], 'ask'],
  ])('%s', (_name, more, effects, want) => {
    expect(run([rule('x.y', 'command', 'true', more)], given, can(...effects)).answer).toBe(want);
  });
});

describe('lifting', () => {
  const given = deletes('/etc/x');
  it('a grant lifts a soft rule and is named', () => {
    const d = run([OUTSIDE], given, { grant: (r, item) => (item.subject === 'delete /etc/x' ? `G-${r.id}` : '') });
    expect([d.answer, d.rule, d.rules[0]?.lifted_by]).toEqual(['allow', null, 'G-fs.outside']);
  });
  it('nothing lifts a hard rule', () => {
    const hard = rule('fs.outside', 'file', 'outside(file)', 'effect: deny\nlevel: hard');
    expect(run([hard], given, { grant: () => 'G-1' }).answer).toBe('deny');
  });
});

describe('the default', () => {
  const strict = (...rules: string[]) => ({ ...policyOf(...rules), defaultEffect: 'ask' as const });
  const allowLs = rule('ok.ls', 'command', 'command.name == "ls"', 'effect: allow');
  const go = (given: Facts) => decide(strict(allowLs, OUTSIDE), given, { now: NOW }).answer;
  it.each<[string, Facts, string]>([
    ['allowed', facts({ commands: [command('ls')] }), 'allow'],
    ['not known', facts({ commands: [command('foo')] }), 'ask'],
    ['one of two', facts({ commands: [command('ls'), command('foo', { id: 1 })] }), 'ask'],
    [
      'allowed but not parsed',
      facts({ commands: [command('ls')], unknowns: [{ reason: 'x', text: 'x', span: null }] }),
      'ask',
    ],
    ['denied all the same', facts({ commands: [command('ls')], files: [file('delete', '/etc/x')] }), 'deny'],
    ['nothing to see', facts(), 'ask'],
    ['after the call', facts({ commands: [command('foo')], event: { name: 'PostToolUse' } }), 'allow'],
  ])('%s', (_name, given, want) => {
    expect(go(given)).toBe(want);
  });
});

describe('requires', () => {
  const read = rule(
    'edit.read-first',
    'file',
    'file.op == "write"',
    'effect: deny\nrequires: evidence("read", file.real)',
  );
  const policy = policyOf(read);
  const given = facts({ files: [file('write', '/home/dev/project/a')] });
  const asked = (evidence?: (ask: EvidenceAsk) => boolean | null) =>
    decide(policy, given, { now: NOW, ...(evidence ? { services: { evidence } } : {}) });
  it.each<[string, boolean | null, string]>([
    ['established', true, 'allow'],
    ['not established', false, 'deny'],
    ['not known', null, 'ask'],
  ])('%s', (_name, holds, want) => {
    const decision = asked(() => holds);
    expect(decision.answer).toBe(want);
    expect(decision.evidence).toEqual([{ kind: 'read', key: '/home/dev/project/a', holds }]);
  });
  it('without a ledger it is not known, and the message says so', () => {
    expect(asked()).toMatchObject({
      answer: 'ask',
      reason: "Title of edit.read-first. Whether that holds here can't be known: evidence of `read` is not known.",
    });
  });
  it('is not asked for where the condition does not hold', () => {
    const other = facts({ files: [file('read', '/home/dev/project/a')] });
    const evidence = () => expect.fail('asked');
    expect(decide(policy, other, { now: NOW, services: { evidence } }).evidence).toBeUndefined();
  });
  it('a ledger that can not be read is an error of the condition', () => {
    const decision = asked(() => {
      throw new Error('the store is gone');
    });
    expect([decision.answer, decision.rules[0]?.because]).toEqual(['ask', 'error']);
  });
});

describe('texts', () => {
  it('are worked out, made visible and cut', () => {
    const more =
      'effect: deny\nmessage: plain\nmessage_expr: \'"no " + file.path + " in " + event.workspace\'\nsuggest: \'"ls " + file.path\'\nremediation: Ask.\naudit: { op: file.op }';
    const [hit] = run([rule('x.y', 'file', 'true', more)], deletes('/etc/\u001b[31mx')).rules;
    expect([hit?.message, hit?.suggest, hit?.remediation, hit?.audit]).toEqual([
      'no /etc/\\x1b[31mx in /home/dev/project',
      'ls /etc/\\x1b[31mx',
      'Ask.',
      { op: 'delete' },
    ]);
    const [long] = run([rule('x.y', 'file', 'true', more)], deletes(`/etc/${'x'.repeat(900)}`)).rules;
    expect(long?.message).toHaveLength(400);
  });
  it('fall back to the plain text when they can not be worked out', () => {
    const more = 'effect: deny\nmessage: plain\nmessage_expr: \'"no " + file.real\'';
    expect(run([rule('x.y', 'file', 'file.op == "delete"', more)], deletes(null)).reason).toBe('plain');
  });
});

describe('the trace', () => {
  it('names rules that were looked at and did not fire, if asked', () => {
    const d = run([OUTSIDE, rule('x.y', 'dest', 'true')], deletes('/home/dev/project/a'), { trace: true });
    expect(d.trace).toEqual([
      { rule: 'fs.outside', outcome: 'false', subject: 'delete /home/dev/project/a', note: '' },
    ]);
  });
});

describe('touching what is guarded', () => {
  const guard = rule(
    'gov.guard',
    'file',
    'file.op != "read" && file.touches(lists.guarded)',
    'effect: deny\nlevel: hard',
  );
  const dir = { recursive: true, is_dir: true };
  it.each<[string, Facts, string]>([
    ['a file in it', facts({ files: [file('write', '/home/dev/project/.gov/rules/a.yaml')] }), 'deny'],
    ['the directory', facts({ files: [file('delete', '/home/dev/project/.gov', dir)] }), 'deny'],
    ['a nested one', facts({ files: [file('write', '/home/dev/project/sub/.gov/x')] }), 'deny'],
    ['a nested directory', facts({ files: [file('delete', '/home/dev/project/sub/.gov', dir)] }), 'deny'],
    ['the workspace', facts({ files: [file('delete', '/home/dev/project', dir)] }), 'deny'],
    ['a directory above', facts({ files: [file('move', '/home/dev')] }), 'deny'],
    ['the root', facts({ files: [file('delete', '/', dir)] }), 'deny'],
    ['one of some names', facts({ files: [file('write', '/home/dev/project/.claude/settings.local.json')] }), 'deny'],
    [
      'the directory that holds such names',
      facts({ files: [file('delete', '/home/dev/project/.claude', dir)] }),
      'deny',
    ],
    ['beside them', facts({ files: [file('write', '/home/dev/project/.claude/notes.md')] }), 'allow'],
    [
      'making the directory that holds them',
      facts({ files: [file('create', '/home/dev/project/.claude', dir)] }),
      'allow',
    ],
    ['below another', facts({ files: [file('delete', '/home/dev/project/build', dir)] }), 'allow'],
    [
      'some of what lies below',
      facts({ files: [file('delete', '/home/dev/project', { ...dir, partial: true })] }),
      'allow',
    ],
    ['writing above it', facts({ files: [file('write', '/home/dev/project', dir)] }), 'allow'],
    [
      'a pattern for hidden names',
      facts({ files: [file('delete', '/home/dev/project/.g*', { ...dir, glob: true })] }),
      'deny',
    ],
    ['a pattern for others', facts({ files: [file('delete', '/home/dev/project/*.o', { glob: true })] }), 'allow'],
    ['a suffix anywhere', facts({ files: [file('write', '/srv/key.pem')] }), 'deny'],
    ['unknown', facts({ files: [file('write', null)] }), 'ask'],
  ])('%s', (_name, given, want) => {
    expect(run([guard], given).answer).toBe(want);
  });
});
