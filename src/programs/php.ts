import type { Invocation, Outcome } from '../model/program.ts';
import { known, knownPrefix, render, textOf, type Value } from '../model/value.ts';
import { composer } from './composer.ts';
import { define, type Program, words } from './define.ts';
import { draft, drafts, effect, word } from './drafts.ts';
import { runsCode, runsFile, runsStdin } from './interpreter.ts';
import type { Parsed } from './options.ts';
import { ordinary } from './ordinary.ts';
import { servesFiles } from './serving.ts';
import { merge } from './subcommands.ts';
import { withToolCode } from './tool-code.ts';

function php(args: Parsed, inv: Invocation): Outcome {
  if (args.has('v', 'm', 'h', 'ini')) return {};
  if (args.has('i'))
    return {
      effects: [effect('secret-read', 'environment', 'phpinfo prints the environment')],
      stdout: { value: null, taints: ['secret'] },
    };
  const prepended = args.values('d').filter((d) => /^auto_(?:prepend|append)_file=/.test(knownPrefix(d)));
  const before = merge(...prepended.map((d) => runsFile(inv, 'php', known(render(d).replace(/^[^=]*=/, '')), [])));
  const server = args.value('S');
  if (server) return merge(before, { effects: servesFiles(inv, args.value('t') ?? null, render(server)) });
  const codes = ['r', 'B', 'R', 'E'].flatMap((name) => args.values(name));
  if (codes.length > 0) return merge(before, ...codes.map((code) => runsCode(inv, 'php', code, args.operands)));
  const [first, ...rest] = args.value('f') ? [args.value('f') as Value, ...args.operands] : args.operands;
  if (args.has('l')) return { files: drafts('read', args.operands) };
  if (!first) return merge(before, runsStdin(inv, 'php', []));
  const name = textOf(first) ?? '';
  if (/(?:^|\/)artisan$/.test(name)) return merge(before, { files: [draft('exec', first)] }, artisan(inv, rest));
  if (/(?:^|\/)(?:bin\/console|app\/console)$/.test(name))
    return merge(before, { files: [draft('exec', first)] }, doctrine(rest));
  if (/(?:^|\/)composer(?:\.phar)?$/.test(name))
    return merge(before, { nested: [{ kind: 'argv', via: 'php', argv: [known('composer'), ...rest] }] });
  return merge(before, runsFile(inv, 'php', first, rest));
}

/** Eloquent and its query builder: a whole table goes. */
const EMPTIES =
  /(?:::|->)truncate\s*\(|::query\(\)\s*->\s*delete\s*\(|\bDB::(?:statement|unprepared)\s*\(\s*['"]\s*(?:drop|truncate|delete)\b|Schema::drop/i;

/** Laravel's commands (laravel.com/docs, Artisan and Migrations). */
function artisan(inv: Invocation, list: readonly Value[]): Outcome {
  const name = word(list.find((w) => !render(w).startsWith('-')));
  const flags = list.map(render).filter((w) => w.startsWith('-'));
  const forced = flags.includes('--force') ? { force: true } : {};
  const seen = { subcommand: name };
  if (
    flags.includes('--pretend') ||
    flags.includes('--env=testing') ||
    textOf(inv.env.get('APP_ENV') ?? []) === 'testing'
  )
    return seen;
  if (/^(?:migrate:fresh|migrate:reset|migrate:refresh|db:wipe|schema:drop)$/.test(name))
    return { ...seen, effects: [{ ...effect('db-drop', 'database', name), ...forced }] };
  if (/^(?:migrate|migrate:rollback|migrate:install|db:seed|queue:flush|cache:table)$/.test(name))
    return { ...seen, effects: [{ ...effect('db-write', 'database', name), ...forced }] };
  if (name === 'serve') return { ...seen, effects: [effect('listen', '8000')] };
  if (name === 'key:generate') return { ...seen, files: flags.includes('--show') ? [] : [draft('write', ['.env'])] };
  if (name === 'tinker') {
    const code = list.map(render).find((w) => w.startsWith('--execute='));
    const text = code ? code.slice(10) : render(inv.stdin.value ?? []);
    const ran = code ? runsCode(inv, 'php', known(text), []) : runsStdin(inv, 'php', []);
    return EMPTIES.test(text)
      ? { ...seen, ...ran, effects: [...(ran.effects ?? []), effect('db-drop', 'database', 'tinker empties a table')] }
      : { ...seen, ...ran };
  }
  return seen;
}

/** Symfony's and Doctrine's commands. */
function doctrine(list: readonly Value[]): Outcome {
  const name = word(list.find((w) => !render(w).startsWith('-')));
  const forced = list.some((w) => textOf(w) === '--force' || textOf(w) === '-f') ? { force: true } : {};
  if (list.some((w) => /^--(?:dry-run|dump-sql)$/.test(render(w)))) return { subcommand: name };
  if (
    /^doctrine:(?:database|schema):drop$/.test(name) ||
    (name === 'doctrine:migrations:migrate' && list.some((w) => textOf(w) === 'first'))
  )
    return { subcommand: name, effects: [{ ...effect('db-drop', 'database', name), ...forced }] };
  if (
    /^doctrine:(?:migrations:(?:migrate|execute)|schema:(?:update|create)|fixtures:load|database:create|query:sql)$/.test(
      name,
    )
  )
    return { subcommand: name, effects: [{ ...effect('db-write', 'database', name), ...forced }] };
  return { subcommand: name };
}

/** PHP and its tools. */
export const phpPrograms: readonly Program[] = withToolCode([
  define({
    names: ['php', 'php-cgi', 'php8', 'php7'],
    manual: 'php(1)',
    summary: 'runs PHP code',
    options:
      'r run:, f file:, B process-begin:, R process-code:, E process-end:, S server:, t docroot:, d define:, c php-ini:, n, l syntax-check, i info, a interactive, v version, m modules, h help, w, s, z:, ini',
    style: { stopAtOperand: true },
    run: php,
  }),
  define({
    names: ['composer', 'composer.phar'],
    manual: 'composer help',
    summary: 'manages PHP packages',
    options:
      'repository:, repository-url:, d working-dir:, n no-interaction, q quiet, v verbose, dev, no-dev, no-scripts, no-plugins, o optimize-autoloader, W with-all-dependencies, w with-dependencies, g global, unset, prefer-dist, prefer-source, ignore-platform-reqs, dry-run, no-progress, timeout:',
    run: composer,
  }),
  define({
    names: ['artisan'],
    manual: 'laravel.com/docs, Artisan',
    summary: 'runs commands of a Laravel application',
    style: { stopAtOperand: true },
    run: (_, inv) => artisan(inv, inv.argv.slice(1)),
  }),
  define({
    names: ['console', 'symfony'],
    manual: 'symfony.com/doc, the Console component and the Symfony CLI',
    summary: 'runs commands of a Symfony application',
    style: { stopAtOperand: true },
    run: (args, { name, argv }) => {
      const [verb, ...rest] = args.operands;
      if (name === 'console') return doctrine(argv.slice(1));
      if (/^(?:console|c)$/.test(word(verb))) return doctrine(rest);
      return {
        subcommand: word(verb),
        nested: /^(?:php|composer|run)$/.test(word(verb))
          ? [{ kind: 'argv', via: 'symfony', argv: word(verb) === 'run' ? rest : args.operands }]
          : [],
      };
    },
  }),
  define({
    names: ['sail'],
    manual: 'laravel.com/docs, Sail',
    summary: 'runs commands of a Laravel application in a container',
    style: { stopAtOperand: true },
    run: (args, inv) => {
      const [verb, ...rest] = args.operands;
      if (/^(?:artisan|art|a)$/.test(word(verb))) return artisan(inv, rest);
      return {
        subcommand: word(verb),
        nested: /^(?:php|composer|npm|npx|node|yarn|pnpm|bun)$/.test(word(verb))
          ? [{ kind: 'argv', via: 'sail', argv: args.operands, elsewhere: 'container' }]
          : [],
      };
    },
  }),
  define({
    names: ['wp'],
    manual: 'developer.wordpress.org/cli/commands',
    summary: 'manages a WordPress site',
    options: 'path:, url:, yes, ssh:, allow-root, force, skip-plugins?, skip-themes?',
    run: (args, inv) => {
      const [group, verb, ...rest] = args.operands.map(word);
      const name = [group, verb].filter(Boolean).join(' ');
      if (/^(?:db (?:drop|reset|clean)|site empty)$/.test(name))
        return { subcommand: name, effects: [effect('db-drop', 'database', name)] };
      if (
        /^(?:db (?:query|import|create)|search-replace .*|option (?:update|delete)|post delete|user delete|core update-db)$/.test(
          name,
        )
      )
        return { subcommand: name, effects: [effect('db-write', rest.join(' ') || 'database', name)] };
      const code = group === 'eval' ? args.operands[1] : undefined;
      return { subcommand: name, ...(code ? runsCode(inv, 'php', code, []) : {}) };
    },
  }),
  define({
    names: ['drush', 'doctrine', 'doctrine-migrations'],
    manual: 'drush.org, doctrine-project.org',
    summary: 'manages a Drupal site or a schema',
    options: 'y yes, f force, r root:, l uri:',
    run: (args) => {
      const name = word(args.operands[0]);
      if (/^(?:sql[:-]drop|site[:-]install|si|orm:schema-tool:drop)$/.test(name))
        return { subcommand: name, effects: [effect('db-drop', 'database', name)] };
      return {
        subcommand: name,
        effects: /^(?:updb|updatedb|sql[:-]query|sqlq|migrations:migrate|migrate|cim|config[:-]import)$/.test(name)
          ? [effect('db-write', 'database', name)]
          : [],
      };
    },
  }),
  ordinary({
    names: words('phpunit pest paratest phpspec behat codecept'),
    manual: 'phpunit, composer',
    summary: 'tests the project',
    options:
      'c configuration:, filter:, testsuite:, coverage-html:, coverage-clover:, log-junit:, group:, p processes:, bootstrap:',
    writes: ['coverage-html', 'coverage-clover', 'log-junit'],
    skip: 99,
  }),
  ordinary({
    names: words('phpstan psalm phpcs phpmd phan phpcpd deptrac'),
    manual: 'phpstan, composer',
    summary: 'checks PHP code',
    options:
      'c configuration:, l level:, standard:, report-file:, memory-limit:, error-format:, generate-baseline?, no-progress',
    writes: ['report-file'],
    skip: 99,
  }),
  ordinary({
    names: words('php-cs-fixer rector'),
    manual: 'php-cs-fixer, composer',
    summary: 'rewrites PHP code',
    options: 'config:, rules:, dry-run n, test, standard:, diff, path-mode:, allow-risky:, preset:',
    rewrites: true,
    skip: 1,
    unless: ['dry-run', 'test'],
  }),
  ordinary({
    names: words('pint phpcbf'),
    manual: 'php-cs-fixer, composer',
    summary: 'rewrites PHP code',
    options: 'config:, rules:, dry-run n, test, standard:, diff, path-mode:, allow-risky:, preset:',
    rewrites: true,
    unless: ['dry-run', 'test'],
  }),
]);
