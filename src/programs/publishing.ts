import type { EffectKind } from '../model/effect-kinds.ts';
import { define, type Program } from './define.ts';
import { word } from './drafts.ts';
import { QUIET } from './streams.ts';
import { pathOf } from './verbs.ts';
import { say } from './words.ts';

/** A tool that puts packages, images or apps where others get them. */
interface Publisher {
  readonly names: readonly string[];
  readonly publishes: RegExp;
  readonly withdraws?: RegExp;
  readonly installs?: RegExp;
  /** Only with one of these options does it do so. */
  readonly needs?: readonly string[];
  /** Subcommands that change accounts or owners. */
  readonly accounts?: RegExp;
  readonly options?: readonly string[];
}

const PUBLISHERS: readonly Publisher[] = [
  { names: ['twine'], publishes: /^upload/ },
  {
    names: ['release-please', 'auto', 'shipit', 'jreleaser', 'release-plz'],
    publishes: /^(release|publish|github-release|release-pr|full-release|ship|deploy|latest|next|canary|$)/,
  },
  { names: ['changeset', 'lerna'], publishes: /^publish/ },
  // They publish whatever version their operand names, and without one the next.
  {
    names: ['np', 'release-it', 'semantic-release', 'gh-pages', 'surge', 'surge-sh', 'push-dir', 'angular-cli-ghpages'],
    publishes: /^(?!(?:list|whoami|login|logout|token|plans|teardown)\b)/,
    withdraws: /^teardown/,
    accounts: /^(login|logout|token)/,
  },
  { names: ['ghp-import'], publishes: /^/, needs: ['push', 'p'] },
  { names: ['mike'], publishes: /^(deploy|delete|alias|set-default)/, needs: ['push', 'p'] },
  { names: ['electron-builder', 'electron-release'], publishes: /^/, needs: ['publish', 'p'] },
  { names: ['cargo-release', 'cargo-smart-release'], publishes: /^/, needs: ['execute', 'x'] },
  {
    names: ['pod', 'anaconda', 'kaggle', 'butler', 'steamcmd', 'clasp', 'apify', 'chrome-webstore', 'gitbook', 'wally'],
    publishes:
      /^(trunk push|repo push|upload|(datasets|kernels|models|competitions) (create|version|push|submit)|push|deploy|publish|\+?run_app_build)/,
    withdraws: /^(trunk delete|trunk deprecate|remove|undeploy)/,
  },
  {
    names: ['vsce', 'ovsx'],
    publishes: /^publish/,
    withdraws: /^unpublish/,
    accounts: /^(login|create-publisher|delete-publisher)/,
  },
  { names: ['paket'], publishes: /^push/, withdraws: /^delete/, installs: /^(install|restore|update)/ },
  {
    names: ['fastlane', 'altool', 'xcrun-altool', 'eas', 'expo-cli', 'appcenter', 'bundletool', 'iTMSTransporter'],
    publishes:
      /^(release|deploy|beta|deliver|pilot|supply|upload\S*|submit|publish|update|app_store|appstore|testflight|codepush|distribute|(ios|android|mac) (release|deploy|beta|publish|submit))/,
  },
  {
    names: ['snapcraft', 'flatpak-builder', 'charmcraft', 'rockcraft', 'appimagetool'],
    publishes: /^(upload|push|release|promote)/,
    withdraws: /^(revoke|close)/,
  },
  {
    names: [
      'web-ext',
      'chrome-webstore-upload',
      'jsr',
      'wapm',
      'wasmer',
      'cpan-upload',
      'dub',
      'puppet-module',
      'ansible-publish',
      'bal',
      'tsp',
      'apm',
      'spago',
      'ballerina',
      'clojars',
    ],
    publishes: /^(publish|upload|sign --channel|push|hex publish|upload-tarball|registry push|mod push)/,
    withdraws: /^(unpublish|hex (retire|publish revert)|retire|delete|remove --confirm)/,
  },
  {
    names: [
      'ghr',
      'dput',
      'gh-release',
      'aptly',
      'debsign',
      'reprepro',
      'createrepo',
      'cloudsmith',
      'jfrog',
      'jf',
      'fury',
      'packagecloud',
      'package_cloud',
      'hf',
      'huggingface-cli',
    ],
    publishes:
      /^(?!(--help|help|list|ls|ping|whoami|env|scan|download|search|version|config|cache|c |rt (dl|search|s |ping)))(.*\b(push|upload|u|publish|deploy|copy|repo create|create|ppa:\S+)\b.*|[\w./-]+)$/,
    withdraws: /\b(delete|remove|drop|yank|rt del)\b/,
    accounts: /^(login|logout|auth)/,
  },
];

/** True for `-p`, `--publish`, `--publish always`; `never` takes it back. */
function asked(argv: readonly string[], options: readonly string[]): boolean {
  return argv.some((text, at) => {
    const [, name = '', value] = /^--?([\w-]+)(?:=(.*))?$/.exec(text) ?? [];
    return options.includes(name) && (value ?? argv[at + 1]) !== 'never';
  });
}

/** Publishing tools, from their manuals; package managers that install first are elsewhere. */
export const publishing: readonly Program[] = PUBLISHERS.map((tool) =>
  define({
    names: tool.names,
    manual: `${tool.names[0]} documentation`,
    summary: 'publishes packages',
    options:
      'r repository:, repository-url:, u username:, p password pat:, c config:, o out output:, i packagePath:, s source:, k api-key apiKey:, t token tag:, f config-file:, env:, channel:, n:, b branch:, d dist:, m message:, preid:, dry-run, snapshot, skip-publish, dry, no-publish, help h, version v, ci, y yes, clean, auto-snapshot, skip:, platform:, profile:, since:',
    style: { abbreviations: false },
    run: (args, inv) => {
      const path = pathOf(args, 3);
      const facts = { subcommand: pathOf(args, 2), stdout: QUIET };
      const looks =
        args.has('help', 'dry-run', 'dry', 'snapshot', 'skip-publish', 'no-publish') ||
        (args.has('version') && path === '') ||
        (tool.needs !== undefined && !asked(inv.argv.slice(1).map(word), tool.needs)) ||
        args.values('skip').some((s) => /publish/.test(word(s)));
      if (looks) return facts;
      const kind: EffectKind | null = tool.withdraws?.test(path)
        ? 'unpublish'
        : tool.accounts?.test(path)
          ? 'account'
          : tool.installs?.test(path)
            ? 'install'
            : tool.publishes.test(path)
              ? 'publish'
              : null;
      if (kind === null) return facts;
      return {
        ...facts,
        effects: [
          { kind, target: say(...args.operands.slice(1)) || 'this package', detail: `${inv.name} ${path}`.trim() },
        ],
      };
    },
  }),
);
