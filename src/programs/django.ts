import type { Invocation, Outcome } from '../model/program.ts';
import { textOf, type Value } from '../model/value.ts';
import { define, type Program } from './define.ts';
import { drafts, effect, word } from './drafts.ts';
import { runsCode, runsStdin } from './interpreter.ts';
import { grammar, type Parsed, parseOptions } from './options.ts';
import { consoleSql } from './sql-client.ts';
import { merge } from './subcommands.ts';

const OPTIONS = grammar(
  'c command:, settings:, pythonpath:, database:, noinput no-input, v verbosity:, traceback, no-color, force-color, fake, fake-initial, plan, check, run-syncdb, prune, clear, i ignore:, format:, o output:, n name:, empty, dry-run, merge, e exclude:, a all, deploy, keepdb, parallel?, k:, username:, email:',
);

/** What a Django management command does (docs.djangoproject.com, django-admin and manage.py). */
export function django(inv: Invocation, words: readonly Value[]): Outcome {
  const args = parseOptions([[''], ...words], OPTIONS);
  const [verb, ...rest] = args.operands;
  const name = word(verb);
  return { subcommand: name, flags: args.flags, operands: args.operands, ...managed(inv, name, rest, args) };
}

function managed(inv: Invocation, name: string, rest: readonly Value[], args: Parsed): Outcome {
  const forced = args.has('noinput') ? { force: true } : {};
  switch (name) {
    case 'flush':
    case 'reset_db':
    case 'sqlreset':
    case 'drop_test_database':
      return { effects: [{ ...effect('db-drop', 'all tables', `manage.py ${name}`), ...forced }] };
    case 'migrate': {
      if (args.has('plan', 'check')) return {};
      const back = textOf(rest[1] ?? []) === 'zero';
      return {
        effects: [
          back
            ? effect('db-drop', word(rest[0]), 'migrates back to nothing')
            : effect('db-write', word(rest[0]) || 'migrations', 'applies migrations'),
        ],
      };
    }
    case 'loaddata':
    case 'createsuperuser':
    case 'changepassword':
    case 'createcachetable':
    case 'clearsessions':
      return { effects: [effect('db-write', name)] };
    case 'shell':
    case 'shell_plus': {
      const code = args.value('c');
      return code ? runsCode(inv, 'python', code, []) : runsStdin(inv, 'python', []);
    }
    case 'dbshell':
      return merge(consoleSql(inv, 'dbshell'), { effects: [effect('db-write', 'dbshell')], opaque: true });
    case 'runserver':
    case 'runserver_plus':
    case 'testserver':
      return { effects: [effect('listen', word(rest[0]) || '8000')] };
    case 'startproject':
    case 'startapp':
      return { files: drafts('create', rest.slice(0, 1), { recursive: true }) };
    case 'dumpdata':
      return { files: drafts('write', args.values('o')) };
    default:
      return { opaque: /^(?:runscript|)$/.test(name) };
  }
}

/** `django-admin`, the same commands without a project's manage.py. */
export const djangoAdmin: Program = define({
  names: ['django-admin', 'django-admin.py', 'manage.py'],
  manual: 'django-admin(1)',
  summary: 'runs a Django management command',
  style: { stopAtOperand: true },
  run: (_, inv) => django(inv, inv.argv.slice(1)),
});
