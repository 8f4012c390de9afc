import { nameOf } from './paths.ts';

/**
 * Settings of a project's tools that name where packages come from, or what is run besides the project's own code. What
 * is strange in them is given as it is written: rules are about what an edit adds, not about what was there.
 *
 * INVARIANT: each pattern takes time in proportion to the text, whatever an agent writes: what stands before a mark
 * can't hold the mark, and repetitions next to each other are bounded.
 */
interface Row {
  /** Base names in lower case, or the end of a path. */
  readonly files: RegExp;
  /** Each match is one strange thing. */
  readonly strange: readonly RegExp[];
  /** Addresses among the text (first group) that are strange unless they are known. */
  readonly sources?: RegExp;
}

/** Public registries, forges, those that belong to an account of the project, and this machine. */
const KNOWN_SOURCE =
  /^(?:sparse\+)?https:\/\/(?:[\w-]+\.)*(?:npmjs\.org|yarnpkg\.com|npmmirror\.com|pypi\.org|pythonhosted\.org|pkg\.github\.com|gitlab\.com|jsr\.io|jfrog\.io|pkg\.dev|visualstudio\.com|pkgs\.dev\.azure\.com|amazonaws\.com|cloudsmith\.io|fontawesome\.com|nvidia\.com|pytorch\.org|crates\.io|rsproxy\.cn|ustc\.edu\.cn|tsinghua\.edu\.cn|aliyun\.com|nuget\.org|packagist\.org|rubygems\.org|contribsys\.com|github\.com|githubusercontent\.com|bitbucket\.org|codeberg\.org|laravel\.com|drupal\.org|wpackagist\.org|gradle\.org|maven\.apache\.org|maven\.org|archive\.apache\.org|dlcdn\.apache\.org)(?:\/|$)|^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?(?:\/|$)/i;

/** Words of a command that no check or hook of a project needs: fetching, decoding, the home directory. */
const SUSPICIOUS = String.raw`(?:\b(?:curl|wget|ncat?|socat|base64|eval)\b|\/dev\/tcp\/|\brm\s{1,8}-\w{0,8}[rf]\w{0,8}\s{1,8}(?:\/|~|\$HOME)|~\/|\$HOME\b|[\s"'=]\/tmp\/|\|\s{0,8}(?:ba|z|da)?sh\b)`;
/** The line up to the first place where a mark stands. */
const BEFORE = (mark: string): string => `(?:(?!${mark}).)*`;
const RUN = String.raw`\b(?:run|entry):`;
/** A path outside the project and the directories of the system. */
const ELSEWHERE = String.raw`(?:~|\$HOME|\/(?!usr\/|bin\/|opt\/|nix\/|Library\/|Applications\/))`;
/** Code that starts programs, connects or deletes. */
const ACTS =
  /^.*\b(?:child_process|execSync|execFile|spawn|os\.(?:system|popen|remove|exec\w*)|subprocess|socket|urllib|requests|https?|fetch|eval|exec|b64decode|base64|rmtree|unlink|rmSync|writeFile\w*|__import__)\b.*$/gm;
const JVM =
  /-javaagent:\S*|-agentpath:\S*|-agentlib:(?!jdwp)\S*|-Xbootclasspath\S*|maven\.ext\.class\.path\S*|-XX:On(?:Error|OutOfMemoryError)\S*/g;

const ROWS: readonly Row[] = [
  {
    files: /^(?:\.npmrc|\.yarnrc|\.yarnrc\.yml|pip\.conf|bunfig\.toml)$/,
    sources:
      /^[ \t"']*(?:@[\w.-]+:)?(?:registry|npmRegistryServer|(?:extra-)?index-url)["']?[ \t]*[:=]?[ \t]*["']?(https?:\/\/[^\s"']+)/gim,
    strange: [
      /^[ \t]*(?:script-shell|git|shell|(?:user|global)config|(?:global-)?pnpmfile)[ \t]*=.*$/gm,
      /^[ \t]*node-options[ \t]*=.*(?:-r\b|--require|--import|--loader).*$/gm,
      /^[ \t]*(?:yarnPath:|yarn-path)(?![ \t]*["']?(?:\.\/)?\.yarn\/releases\/).*$/gm,
      /^[ \t]+(?:-[ \t]+)?path:(?![ \t]*["']?(?:\.\/)?\.yarn\/plugins\/).*$/gm,
      /^[ \t]+-[ \t]+["']?(?!(?:\.\/)?\.yarn\/plugins\/)[\w./@~-]+\.c?js["']?[ \t]*$/gm,
      new RegExp(String.raw`^[ \t]*preload[ \t]*=.*["']${ELSEWHERE}.*$`, 'gm'),
    ],
  },
  {
    files: /^(?:.*\/)?\.cargo\/config(?:\.toml)?$/,
    sources: /^[ \t]*(?:registry|index)[ \t]*=[ \t]*["']((?:sparse\+)?https?:\/\/[^"']+)/gim,
    strange: [
      new RegExp(
        String.raw`^[ \t]*(?:rustc|rustdoc|rustc-(?:workspace-)?wrapper|runner|linker|credential-provider|global-credential-providers)[ \t]*=.*["'\s](?:${ELSEWHERE}|(?:ba|z|da)?sh\b|env\b|python3?\b|curl\b).*$`,
        'gm',
      ),
    ],
  },
  { files: /^(?:.*\/)?\.mvn\/(?:maven|jvm)\.config$|(?:^|\/)gradle\.properties$/, strange: [JVM] },
  {
    files: /^(?:.*\/)?(?:gradle|maven)-wrapper\.properties$/,
    strange: [],
    sources: /^[ \t]*(?:distribution|wrapper)Url[ \t]*=[ \t]*(\S+)/gm,
  },
  {
    files: /^\.bazelrc$/,
    strange: [
      new RegExp(
        String.raw`^.*--(?:run_under|workspace_status_command)[= ]["']?(?:${ELSEWHERE}|(?:ba|z|da)?sh\b).*$`,
        'gm',
      ),
      /^.*--host_jvm_args=-(?:javaagent|agentpath).*$/gm,
      new RegExp(String.raw`^[ \t]*(?:try-)?import[ \t]+${ELSEWHERE}.*$`, 'gm'),
    ],
  },
  {
    files: /^(?:.*\/)?(?:\.?mise(?:\.[\w.]+)?\.toml|\.?(?:config\/)?mise\/config\.toml)$/,
    strange: [
      /^\[+hooks.*$/gm,
      new RegExp(String.raw`^${BEFORE(String.raw`\{\{`)}\{\{.*\bexec\(.*$`, 'gm'),
      new RegExp(String.raw`^[ \t]*_\.source[ \t]*=.*["']${ELSEWHERE}.*$`, 'gm'),
    ],
  },
  {
    files: /^\.?lefthook(?:-local)?\.ya?ml$|^\.pre-commit-config\.ya?ml$/,
    strange: [new RegExp(`^${BEFORE(RUN)}${RUN}.*${SUSPICIOUS}.*$`, 'gm')],
    sources: /^[ \t]*(?:-[ \t]*)?repo:[ \t]*["']?(https?:\/\/[^\s"']+)/gm,
  },
  { files: /^(?:\.pnpmfile\.[cm]?js|(?:site|user)customize\.py)$/, strange: [ACTS] },
  { files: /\/site-packages\/.*\.pth$/, strange: [/^import[ \t](?!coverage\b).*$/gm] },
  {
    files: /^nuget\.config$/,
    strange: [],
    sources: /<add\b[^>]*\bvalue=["'](https?:\/\/[^"']+)/gi,
  },
  {
    files: /^composer\.json$/,
    strange: [new RegExp(String.raw`"(?:pre|post)-[\w-]+"\s*:[^\]}]{0,2000}?${SUSPICIOUS}`, 'g')],
    sources: /"url"\s*:\s*"(https?:\/\/[^"]+)/g,
  },
  { files: /^(?:gemfile|gems\.rb)$/, strange: [], sources: /^[ \t]*source[ \t(]+["'](https?:\/\/[^"']+)/gm },
  {
    files: /^requirements[\w.-]*\.(?:txt|in)$|^constraints[\w.-]*\.txt$/,
    strange: [],
    sources: /^[ \t]*(?:-i|--index-url|--extra-index-url)[ \t=]+(https?:\/\/\S+)/gm,
  },
  {
    files: /^pyproject\.toml$/,
    strange: [],
    sources:
      /\[\[tool\.(?:uv\.index|poetry\.source|pdm\.source)\]\][^[]{0,500}?\burl[ \t]*=[ \t]*["'](https?:\/\/[^"']+)/g,
  },
  { files: /\.code-workspace$/, strange: [/"runOn"\s*:\s*"folderOpen"/g] },
];

const READ = 200_000;

/** The strange things in the text of a settings file, as they are written. */
export type SettingsReader = (text: string) => readonly string[];

/** The reader of a file of settings, or null if the file is none of those that matter. */
export function settingsThatRun(path: string): SettingsReader | null {
  const low = path.toLowerCase();
  const name = nameOf(low);
  const row = ROWS.find(({ files }) => files.test(name) || files.test(low));
  if (!row) return null;
  return (text) =>
    text.length > READ
      ? ['more than anybody reads']
      : [
          ...row.strange.flatMap((pattern) => text.match(pattern) ?? []),
          ...(row.sources ? [...text.matchAll(row.sources)] : [])
            .map((match) => (match[1] as string).replaceAll('\\', ''))
            .filter((url) => !KNOWN_SOURCE.test(url)),
        ];
}
