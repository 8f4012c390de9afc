import type { EffectDraft } from '../model/effect.ts';
import type { EffectKind } from '../model/effect-kinds.ts';
import type { Invocation, Outcome } from '../model/program.ts';
import { render, textOf } from '../model/value.ts';
import { define, type Program } from './define.ts';
import type { Parsed } from './options.ts';
import { runSql } from './sql-client.ts';
import { merge } from './subcommands.ts';
import { isTestDatabase } from './test-databases.ts';
import { joinWords } from './words.ts';

/** One tool that changes schemas: which of its subcommands lose or change data. */
interface Migrator {
  readonly names: readonly string[];
  readonly drops: RegExp;
  readonly writes: RegExp;
  /** Subcommands that put code where others use it. */
  readonly deploys?: RegExp;
  /** Options that make a writing subcommand a dropping one. */
  readonly forcing?: readonly string[];
}

const MIGRATORS: readonly Migrator[] = [
  {
    names: ['prisma'],
    drops: /^(migrate reset|db drop)/,
    writes: /^(migrate (deploy|dev|resolve)|db (push|execute|seed))/,
    forcing: ['force-reset', 'accept-data-loss'],
  },
  { names: ['drizzle-kit'], drops: /^drop/, writes: /^(push|migrate)/, forcing: ['force'] },
  { names: ['sequelize', 'sequelize-cli'], drops: /^db:(drop|migrate:undo:all)/, writes: /^db:/ },
  {
    names: ['typeorm', 'typeorm-ts-node-commonjs', 'typeorm-ts-node-esm'],
    drops: /^schema:drop/,
    writes: /^(schema:sync|migration:(run|revert))/,
  },
  { names: ['knex'], drops: /^migrate:rollback/, writes: /^(migrate:(latest|up|down)|seed:run)/ },
  {
    names: ['mikro-orm'],
    drops: /^(database:drop|schema:(drop|fresh)|migration:fresh)/,
    writes: /^(schema:update|migration:(up|down))/,
  },
  { names: ['alembic', 'flask-migrate'], drops: /^downgrade base/, writes: /^(upgrade|downgrade|stamp)/ },
  { names: ['flyway'], drops: /^clean/, writes: /^(migrate|repair|baseline|undo)/ },
  { names: ['liquibase'], drops: /^drop-?all/i, writes: /^(update|rollback|changelog-?sync)/i },
  { names: ['dbmate'], drops: /^drop/, writes: /^(up|migrate|down|rollback|create)/ },
  { names: ['migrate', 'golang-migrate'], drops: /^(drop|down$)/, writes: /^(up|down|goto|force)/ },
  { names: ['sqlx'], drops: /^database (drop|reset)/, writes: /^(database (create|setup)|migrate (run|revert))/ },
  { names: ['diesel'], drops: /^database (reset|drop)/, writes: /^(migration (run|revert|redo)|database setup|setup)/ },
  { names: ['atlas'], drops: /^schema clean/, writes: /^(schema apply|migrate (apply|down|set))/ },
  { names: ['hasura'], drops: /^metadata clear/, writes: /^(migrate apply|metadata apply|seed apply)/ },
  { names: ['sea-orm-cli'], drops: /^migrate (fresh|reset|refresh)/, writes: /^migrate( (up|down))?/ },
  { names: ['meteor'], drops: /^reset/, writes: /^$(?!)/ },
  { names: ['planetscale'], drops: /^(database|branch) delete/, writes: /^deploy-request deploy/ },
  { names: ['ecto', 'mix-ecto'], drops: /^(drop|reset)/, writes: /^(migrate|create|rollback)/ },
  { names: ['convex'], drops: /^import --replace/, writes: /^(import|run|env set)/, deploys: /^deploy/ },
];

/** Schema migration tools. */
export const migrations: readonly Program[] = MIGRATORS.map((tool) =>
  define({
    names: tool.names,
    manual: `${tool.names[0]} documentation`,
    summary: 'changes database schemas',
    options:
      'schema:, config:, d:, e env:, url:, database:, path:, file:, source:, c x-config:, name n:, settings:, database-url u:, dev-url:, dialect:, to:, force f, force-reset, accept-data-loss, help h, sql, stdin, create-only, dry-run',
    style: { abbreviations: false, singleDashLong: tool.names[0] === 'flyway' || tool.names[0] === 'migrate' },
    run: (args, inv) => migration(args, inv, tool),
  }),
);

/** Changing a schema where the environment says that it is the one people use. */
export function inProduction(inv: Invocation, detail: string): readonly EffectDraft[] {
  const names = [
    'RAILS_ENV',
    'RACK_ENV',
    'NODE_ENV',
    'APP_ENV',
    'MIX_ENV',
    'DJANGO_ENV',
    'FLASK_ENV',
    'ASPNETCORE_ENVIRONMENT',
  ];
  const live = names.some((name) => /^(?:prod|production|live)$/i.test(textOf(inv.env.get(name) ?? []) ?? ''));
  return live ? [{ kind: 'infra-apply', target: 'the production database', detail }] : [];
}

function migration(args: Parsed, inv: Invocation, tool: Migrator): Outcome {
  const words = args.operands.map((o) => textOf(o) ?? '');
  const path = words.slice(0, 3).join(' ');
  if (args.has('help', 'dry-run', 'create-only') || (tool.names[0] === 'alembic' && args.has('sql')))
    return { subcommand: words[0] ?? '' };
  const forced = tool.forcing?.some((option) => args.has(option)) ?? false;
  if (tool.deploys?.test(path))
    return {
      subcommand: words[0] ?? '',
      effects: [{ kind: 'infra-apply', target: inv.name, detail: `${inv.name} ${path}` }],
    };
  const [drops, writes] = [tool.drops.test(path), tool.writes.test(path)];
  const tests = isTestDatabase(inv, args.value('url', 'database-url') ?? inv.env.get('DATABASE_URL'));
  const lost = (drops || (forced && writes)) && !tests;
  const kind: EffectKind | null = lost ? 'db-drop' : drops || writes ? 'db-write' : null;
  const detail = `${tool.names[0]} ${render(joinWords(args.operands.slice(0, 2)))}`;
  const own: Outcome = {
    subcommand: words.slice(0, 2).join(' '),
    effects: kind ? [{ kind, target: 'the database', detail }, ...inProduction(inv, detail)] : [],
  };
  if (path !== 'db execute' || tests) return own;
  // `prisma db execute` takes SQL from a file or standard input.
  const files = args.values('file');
  const stdin = args.has('stdin');
  return merge(
    own,
    runSql({ inv, client: 'psql', texts: [], files, stdin, database: 'the database', scratch: false, embedded: false }),
  );
}
