import type { EffectDraft } from '../model/effect.ts';
import type { Invocation, Outcome } from '../model/program.ts';
import { known, render, textOf, type Value } from '../model/value.ts';
import { define, type Program, words } from './define.ts';
import { draft, drafts, effect, word } from './drafts.ts';
import { installs } from './installs.ts';
import { ownCode, runsCode, runsFile, runsStdin } from './interpreter.ts';
import { inProduction } from './migrations.ts';
import { strangeCode } from './named-programs.ts';
import type { Parsed } from './options.ts';
import { ordinary } from './ordinary.ts';
import { lineInterpreter, switchesOf } from './perl.ts';
import { servesFiles } from './serving.ts';
import { consoleSql } from './sql-client.ts';
import { merge } from './subcommands.ts';
import { withToolCode } from './tool-code.ts';

/** What tasks of Rails and Active Record do to the database (guides.rubyonrails.org, Active Record Migrations). */
function databaseTask(name: string): readonly EffectDraft[] {
  if (/:(?:status|version)$/.test(name)) return [];
  if (
    /^(?:db:(?:drop|reset|purge|truncate_all|migrate:reset|schema:load|structure:load|seed:replant|test:purge|drop:all|reset:all)|db:drop:\w+|db:reset:\w+)$/.test(
      name,
    )
  ) {
    return [effect('db-drop', 'database', name)];
  }
  return /^db:(?:migrate|rollback|setup|prepare|seed|create|fixtures:load|migrate:\w+|forward)(?::\w+)?$/.test(name)
    ? [effect('db-write', 'database', name)]
    : [];
}

function tasks(inv: Invocation, operands: readonly Value[]): readonly EffectDraft[] {
  // The database of the tests is made to be thrown away.
  const isTest =
    ['RAILS_ENV', 'RACK_ENV'].some((name) => textOf(inv.env.get(name) ?? []) === 'test') ||
    operands.some((o) => /^(?:RAILS|RACK)_ENV=test$/.test(render(o)));
  if (isTest) return [];
  const found = operands.flatMap((o) => databaseTask(render(o).replace(/\[.*$/s, '')));
  return found.length > 0 ? [...found, ...inProduction(inv, 'a database task')] : [];
}

/** Bundler's task builds the gem, tags it, and pushes it to the registry (bundler gem_tasks). */
function released(operands: readonly Value[]): readonly EffectDraft[] {
  return operands.some((o) => /^release(?::rubygem_push)?(?:\[|$)/.test(render(o))) ? [effect('publish', 'gem')] : [];
}

/** Templates are Ruby; `-m URL`, `LOCATION=URL`. */
function templates(rest: readonly Value[]): readonly EffectDraft[] {
  return rest
    .map(render)
    .filter((text) => /^(?:LOCATION=|--template=)?https?:/.test(text))
    .map((text) => effect('exec-remote', text, `runs the template ${text}`));
}

function rails(inv: Invocation, operands: readonly Value[]): Outcome {
  const [verb, ...rest] = operands;
  const name = word(verb);
  switch (name) {
    case 'runner':
    case 'r': {
      const [code, ...more] = rest.filter((w) => !/^-/.test(render(w)));
      if (!code) return { subcommand: name };
      return {
        subcommand: name,
        ...(/\.rb$/.test(render(code)) || render(code) === '-'
          ? runsFile(inv, 'ruby', code, more)
          : runsCode(inv, 'ruby', code, more)),
      };
    }
    case 'console':
    case 'c':
      return { subcommand: name, ...runsStdin(inv, 'ruby', []) };
    case 'server':
    case 's':
      return { subcommand: name, effects: [effect('listen', '3000')] };
    case 'new':
      return {
        subcommand: name,
        files: drafts('create', rest.slice(0, 1), { recursive: true }),
        effects: templates(rest),
      };
    case 'app:template':
      return { subcommand: name, effects: templates(rest) };
    case 'dbconsole':
    case 'db':
      return merge(consoleSql(inv, 'dbconsole'), {
        subcommand: name,
        effects: [effect('db-write', 'dbconsole')],
        opaque: true,
      });
    case 'credentials:show':
    case 'secrets:show':
      return {
        subcommand: name,
        effects: [effect('secret-read', 'credentials')],
        stdout: { value: null, taints: ['secret'] },
      };
    default:
      return { subcommand: name, effects: tasks(inv, operands) };
  }
}

function bundle(inv: Invocation): Outcome {
  const words = inv.argv.slice(1);
  const at = words.findIndex((w) => !render(w).startsWith('-'));
  const verb = at < 0 ? 'install' : word(words[at]);
  const rest = at < 0 ? [] : words.slice(at + 1);
  const plain = rest.filter((w) => !render(w).startsWith('-'));
  switch (verb) {
    case 'exec':
    case 'e': {
      const own = rest.findIndex((w) => !render(w).startsWith('-') || textOf(w) === '--');
      const argv = own < 0 ? [] : textOf(rest[own] ?? []) === '--' ? rest.slice(own + 1) : rest.slice(own);
      return {
        subcommand: 'exec',
        nested: argv.length > 0 ? [{ kind: 'argv', via: 'bundle exec', argv, stdin: inv.stdin }] : [],
      };
    }
    case 'install':
    case 'update':
    case 'lock':
      return merge(ownCode(inv, 'ruby', [known('Gemfile')]), { subcommand: verb, effects: installs({ packages: [] }) });
    case 'add': {
      const source = rest.flatMap((w, i) =>
        /^--(?:git|source|github)$/.test(render(w)) ? rest.slice(i + 1, i + 2) : [],
      );
      return { subcommand: verb, effects: installs({ packages: plain.slice(0, 1), index: source }) };
    }
    case 'config': {
      const sets = plain[0] && /^(?:set|unset)$/.test(word(plain[0])) ? true : plain.length > 1;
      const local = rest.some((w) => textOf(w) === '--local');
      return {
        subcommand: verb,
        files: sets ? [draft('write', [local ? '.bundle/config' : `${inv.world.home}/.bundle/config`])] : [],
      };
    }
    case 'gem':
      return { subcommand: verb, files: drafts('create', plain.slice(0, 1), { recursive: true }) };
    case 'console':
      return { subcommand: verb, ...runsStdin(inv, 'ruby', []) };
    default:
      return { subcommand: verb };
  }
}

function gem({ args, inv }: { readonly args: Parsed; readonly inv: Invocation }): Outcome {
  const [verb, ...names] = args.operands;
  const isUser = args.has('user-install');
  const name = word(verb);
  switch (name) {
    case 'install':
    case 'i':
    case 'update':
      return {
        subcommand: name,
        effects: installs({
          packages: names,
          global: true,
          index: args.values('source'),
          what: isUser ? 'gems of the user' : 'gems',
        }),
      };
    case 'push':
      return {
        subcommand: name,
        effects: [effect('publish', render(names[0] ?? []))],
        dests: [{ address: ['https://rubygems.org'], sends: 'file' }],
      };
    case 'yank':
      return { subcommand: name, effects: [effect('unpublish', render(names[0] ?? []))] };
    case 'sources':
      return {
        subcommand: name,
        files: args.has('add', 'remove', 'clear-all') ? [draft('write', [`${inv.world.home}/.gemrc`])] : [],
      };
    case 'owner':
      return { subcommand: name, effects: [effect('account', render(names[0] ?? []))] };
    default:
      return { subcommand: name };
  }
}

/** `ruby -run -e httpd [DIRECTORY]`, the library `un`. */
function serving(inv: Invocation): Outcome | null {
  const list = inv.argv.slice(1).map(word);
  const at = list.indexOf('httpd');
  if (at < 1 || !list.slice(0, at).includes('-run')) return null;
  const rest = inv.argv.slice(at + 2);
  const directory = rest.find(
    (value, i) => !/^-/.test(word(value)) && !/^(?:-p|--port|--bind-address)$/.test(word(rest[i - 1])),
  );
  return { effects: servesFiles(inv, directory ?? null, '8080') };
}

/** Ruby and its tools. */
export const ruby: readonly Program[] = withToolCode([
  define({
    names: words('ruby jruby truffleruby mruby'),
    manual: 'ruby(1)',
    summary: 'runs Ruby code',
    run: (_, inv) =>
      serving(inv) ??
      lineInterpreter(inv, 'ruby', switchesOf(inv.argv, { value: 'erIECX', attached: 'iFTxK0W', code: 'e' })),
  }),
  define({
    names: words('irb pry'),
    manual: 'irb(1)',
    summary: 'runs Ruby code from standard input',
    options: 'e exec:, r require:, I:, f, noecho, nomultiline, simple-prompt',
    run: (args, inv) => {
      const code = args.value('e');
      return code
        ? runsCode(inv, 'ruby', code, [])
        : args.operands[0]
          ? runsFile(inv, 'ruby', args.operands[0], [])
          : runsStdin(inv, 'ruby', []);
    },
  }),
  define({
    names: ['bundle', 'bundler'],
    manual: 'bundle(1)',
    summary: 'manages the gems of a project',
    run: (_, inv) => bundle(inv),
  }),
  define({
    names: ['gem'],
    manual: 'gem(1)',
    summary: 'manages Ruby packages',
    options:
      'v version:, N no-document, user-install, i install-dir:, n bindir:, s source:, f force, host:, key:, k, pre, q, V verbose, a add:, r remove:, c clear-all, all, config-file:, x executables, I ignore-dependencies',
    run: (args, inv) => gem({ args, inv }),
  }),
  define({
    names: words('rake thor'),
    manual: 'rake(1)',
    summary: 'runs tasks of the project',
    options:
      'f rakefile:, T tasks?, P prereqs, n dry-run, t trace?, C directory:, e execute:, E execute-continue:, p execute-print:, r require:, s silent, q quiet, j jobs?, N no-search, I libdir:, R rakelibdir:, W where?, D describe?, A all, m multitask, g system',
    run: (args, inv) => {
      if (args.has('T', 'P', 'n', 'W', 'D')) return {};
      const code = args.value('e') ?? args.value('E') ?? args.value('p');
      if (code) return runsCode(inv, 'ruby', code, []);
      const named = [...args.values('f'), ...args.values('r').filter((path) => /\//.test(render(path)))];
      const usual = ['Rakefile', 'rakefile', 'Rakefile.rb'].map((name) => known(name));
      const files = named.map((f) => draft('exec', f));
      return merge(
        {
          files,
          effects: [...tasks(inv, args.operands), ...released(args.operands), ...strangeCode(inv, named)],
          opaque: true,
        },
        ownCode(inv, 'ruby', args.has('f') ? args.values('f') : usual),
      );
    },
  }),
  define({
    names: words('rails'),
    manual: 'rails(1)',
    summary: 'runs commands of a Rails application',
    run: (_, inv) => rails(inv, inv.argv.slice(1)),
  }),
  ordinary({
    names: words(
      'rubocop standardrb reek brakeman erblint erb_lint haml-lint slim-lint rufo solargraph srb steep sorbet',
    ),
    manual: 'rubocop, gem',
    summary: 'checks Ruby code',
    options:
      'a autocorrect auto-correct A autocorrect-all auto-correct-all x fix-layout fix, o out:, f format:, c config:, only:, except:, parallel, P, D, d, server, force-exclusion, stdin:',
    rewrites: ['a'],
    writes: ['o'],
  }),
  ordinary({
    names: words('rspec minitest cucumber cutest guard spring yard rdoc'),
    manual: 'rspec, gem',
    summary: 'tests the project',
    options: 'f format:, o out output-dir:, e example:, t tag:, r require:, I:, P pattern:, seed:, fail-fast?',
    writes: ['o'],
    skip: 99,
  }),
  define({
    names: words('puma rackup unicorn thin foreman honcho hivemind overmind sidekiq'),
    manual: 'puma, foreman, gem',
    summary: 'serves an application or starts its processes',
    options: 'p port:, b bind:, C config:, e environment:, f procfile:, t threads:, w workers:, d, o:',
    style: { stopAtOperand: true },
    run: (args) => {
      const [verb, ...rest] = args.operands;
      if (word(verb) === 'run' && rest.length > 0)
        return { subcommand: 'run', nested: [{ kind: 'argv', via: 'foreman run', argv: rest }] };
      return { subcommand: word(verb), effects: [effect('listen', render(args.value('p') ?? ['9292']))] };
    },
  }),
]);
