import { nameOf, startsWithAny } from './paths.ts';
import { belowHome, type Places } from './places.ts';
import { IN_HOME, PUBLIC_IN_HOME } from './secret-places.ts';

const BROWSER =
  /(?:^|\/)(?:google[- ]chrome|chrome|chromium|bravesoftware|brave-browser|microsoft[- ]edge|edge|vivaldi|opera|firefox|\.mozilla|arc)[^/]*\/(?:.*\/)?(?:cookies(?:-journal|\.sqlite)?|login data(?: for account)?|web data|local state|logins\.json|key[34]\.db|signons\.sqlite)$/;

const IN_SYSTEM =
  /^(?:\/private)?\/(?:etc\/(?:g?shadow-?|master\.passwd|security\/opasswd|krb5\.keytab|ssh\/ssh_host_[^/]*_key|ssl\/private(?:\/.*)?|kubernetes\/(?:admin|super-admin)\.conf|rancher\/k3s\/k3s\.yaml|networkmanager\/system-connections(?:\/.*)?|wireguard(?:\/.*)?)|(?:var\/)?run\/secrets(?:\/.*)?|proc\/[^/]+\/(?:task\/[^/]+\/)?environ|var\/lib\/docker\/swarm(?:\/.*)?)$/;

/** Where everything that `IN_SYSTEM` names lies: a pattern costs most when it is first tried. */
const SYSTEM_DIRS: readonly string[] = ['/etc/', '/private/', '/run/', '/var/', '/proc/'];
/** The file names that `BROWSER` ends with. */
const BROWSER_FILES: ReadonlySet<string> = new Set([
  'cookies',
  'cookies-journal',
  'cookies.sqlite',
  'login data',
  'login data for account',
  'web data',
  'local state',
  'logins.json',
  'key3.db',
  'key4.db',
  'signons.sqlite',
]);

const EXAMPLE_WORD =
  /(?:^|[._-])(?:example|examples|sample|template|tmpl|tpl|dist|schema|defaults?|vault|spec|d)(?:[._-]|$)/;

/** Settings in which a log-in may stand, and how it stands there; a reference to a variable is none. */
const HOLDS_LOGIN = /^(?:\.npmrc|\.yarnrc\.yml|pip\.conf|nuget\.config|settings\.xml|auth\.json)$/;
const LOGIN =
  /_(?:authToken|auth|password)\s*=\s*["']?(?!\$)[^\s"'$]|npmAuthToken:\s*["']?(?!\$)[^\s"'$]|:\/\/[^/\s:@$]+:[^/\s@$]+@|<password>\s*(?!\$)[^<\s$]|ClearTextPassword/i;

/** Documentation of variables, and code that reads them. */
const SOURCE_NAME = /\.(?:mdx?|rst|adoc|html?|css|svg|png|[cm]?[jt]sx?|py|rb|go|rs|java|kt|php|cs|lua|nix|snap)$/;

const KEY_NAME = /^(?:.*[._-])?id_(?:rsa|dsa|ecdsa|ed25519|ecdsa_sk|ed25519_sk)(?:[._-](?:old|bak|backup|key|\d+))?$/;

/** Names, and ends of names, of files that hold nothing but keys or log-ins. Compared as texts: most paths meet them. */
const SECRET_NAMES: ReadonlySet<string> = new Set([
  'netrc',
  '.netrc',
  '_netrc',
  '.git-credentials',
  '.pgpass',
  '.pypirc',
  '.dockercfg',
  '.vault-token',
  '.htpasswd',
  '.s3cfg',
  'kubeconfig',
  'kubeconfig.yaml',
  'kubeconfig.yml',
  'credentials.json',
  'application_default_credentials.json',
  'terraform.tfstate',
  'terraform.tfstate.backup',
  'gradle-secrets.properties',
]);
const SECRET_ENDS: ReadonlySet<string> = new Set([
  'kubeconfig',
  'p12',
  'pfx',
  'jks',
  'keystore',
  'ppk',
  'kdb',
  'kdbx',
  'keytab',
  'ovpn',
  'agekey',
]);
/** Key files that clouds hand out under names of their own: the content tells. */
const KEY_JSON = /^[\w.-]*(?:adminsdk|[-_.]keys?|credentials?|[-_]sa)(?:[-_.][\w-]+)?\.json$/;
/** Values of Terraform; most are no secret. */
const TFVARS_SECRET = /^\s*\w*(?:password|passwd|secret|token|api_?key|private_key)\w*\s*=\s*"(?!")/im;
const SECRET_FORM =
  /^(?:client_secrets?(?:[._-].*)?\.json|service[_-]?account(?:[_-]?key)?(?:[._-].*)?\.json|secrets?\.(?:ya?ml|json|toml|ini|properties|tfvars|env)|secrets?[._-](?:prod|production|staging|dev|local|live)[^/]*\.(?:ya?ml|json|toml))$/;

function isSecretName(name: string): boolean {
  if (SECRET_NAMES.has(name)) return true;
  const dot = name.lastIndexOf('.');
  if (dot >= 0 && SECRET_ENDS.has(name.slice(dot + 1))) return true;
  return (name.includes('secret') || name.startsWith('service')) && SECRET_FORM.test(name);
}

const PUBLIC_PEM =
  /(?:^|[._-])(?:ca|cacert|cacerts|ca-?bundle|cert|certs|certificate|chain|fullchain|root|roots|public|pub|crt|dhparams?|csr)(?:[._-]|$)/;

const DEPENDENCIES: readonly string[] = [
  '/node_modules/',
  '/site-packages/',
  '/dist-packages/',
  '/vendor/bundle/',
  '/.cargo/registry/',
  '/go/pkg/mod/',
];
const TEST_DATA =
  /\/(?:tests?|__tests__|specs?|fixtures?|__fixtures__|testdata|test-data|examples?|mocks?|__mocks__)\//;
/** Made-up files that tests read. */
const FIXTURE = /\/(?:fixtures?|__fixtures__|testdata|test-data|__mocks__)\//;

/** Settings of build tools that some keep log-ins in: mirrors and proxies by themselves are no secret. */
const XML_LOGIN = /<(?:password|passphrase|privatekey)>\s*[^<$\s]|<add\s+key="(?:clear)?(?:text)?password"/i;
/** Its usual content names mirrors; passwords in it are meant to be encrypted by another file. */
const MAVEN = '.m2/settings.xml';
const SETTINGS_IN_HOME: ReadonlyMap<string, RegExp> = new Map([
  [MAVEN, XML_LOGIN],
  ['.nuget/nuget/nuget.config', XML_LOGIN],
  ['.config/nuget/nuget.config', XML_LOGIN],
  ['.gradle/gradle.properties', /(?:passw|token|secret|apikey|privatekey|keyid)\w*\s*[=:]\s*[^\s$]/i],
]);

/**
 * True if the file holds secrets, judged by where it resolves to and never by a word in a longer name. `path` is
 * folded. `text` gives the file's content where only that can tell (a `.pem` may be a certificate).
 */
export function isSecret(path: string, at: Places, text: () => string | null): boolean {
  if (startsWithAny(path, SYSTEM_DIRS) && IN_SYSTEM.test(path)) return true;
  const name = nameOf(path);
  const below = belowHome(path, at.low.home);
  if (below !== null && below !== '') {
    if (below[0] === '.' && PUBLIC_IN_HOME.test(below)) return false;
    const login = SETTINGS_IN_HOME.get(below);
    if (login) {
      const content = text();
      return content === null ? below !== MAVEN : login.test(content);
    }
    if (IN_HOME.some((s) => (s.endsWith('/') ? `${below}/`.startsWith(s) : below === s))) return true;
    if (BROWSER_FILES.has(name) && BROWSER.test(below)) return true;
  }
  if (isDotenv(name)) return !isDependency(path);
  if (isDependency(path)) return false;
  if (name.includes('id_') && KEY_NAME.test(name)) return !FIXTURE.test(path);
  if (isSecretName(name)) return !EXAMPLE_WORD.test(name) && !FIXTURE.test(path);
  if (HOLDS_LOGIN.test(name) || path.endsWith('/.git/config')) return LOGIN.test(text() ?? '');
  if (name.endsWith('.json') && KEY_JSON.test(name) && !TEST_DATA.test(path))
    return /"private_key"\s*:\s*"-----BEGIN/.test(text() ?? '');
  if (name.endsWith('.tfvars') && !EXAMPLE_WORD.test(name)) return TFVARS_SECRET.test(text() ?? '');
  if (/\.(?:pem|key)$/.test(name)) {
    if (PUBLIC_PEM.test(name.slice(0, name.lastIndexOf('.'))) || TEST_DATA.test(path)) return false;
    const content = text();
    return content === null || /PRIVATE KEY/.test(content) || !/-----BEGIN|^\s*\{/.test(content);
  }
  return false;
}

function isDependency(path: string): boolean {
  return DEPENDENCIES.some((dir) => path.includes(dir));
}

/** `.env`, `.env.local`, `prod.env`; not `.env.example`, `.envrc`, `environment.ts`, `env.d.ts`. */
function isDotenv(name: string): boolean {
  if (!name.includes('env') && name !== '.dev.vars') return false;
  if (!/^(?:\.env|\.env[.-][^/]+|\.flaskenv|\.dev\.vars|[a-z0-9_-]+(?:\.[a-z0-9_-]+)?\.env)$/.test(name)) return false;
  return !EXAMPLE_WORD.test(name.replace(/^\.env[.-]?/, '.')) && !SOURCE_NAME.test(name);
}

/** Names a pattern is tried against where a directory can't be listed. */
export const SECRET_SAMPLES: readonly string[] = [
  '.env',
  '.env.local',
  '.env.production',
  '.envrc',
  'id_rsa',
  'id_ed25519',
  '.netrc',
  '.npmrc',
  '.pypirc',
  '.git-credentials',
  '.pgpass',
  '.vault-token',
  'credentials',
  'credentials.json',
  'secrets.yml',
  'secrets.yaml',
  'shadow',
  'environ',
  '.ssh',
  '.aws',
  '.gnupg',
  '.kube',
  '.docker',
  '.git',
  '.claude',
  '.cursor',
  '.codex',
  '.gemini',
  '.mcp.json',
  'settings.json',
  'settings.local.json',
  'hooks.json',
  'mcp.json',
  'config',
];

/** Names of which every project has some. */
export const ORDINARY_SAMPLES: readonly string[] = [
  'package.json',
  'README.md',
  'index.ts',
  'main.py',
  'app.js',
  'config.yml',
  'config.yaml',
  'data.csv',
  'notes.txt',
  'Makefile',
  'a',
  'src',
  'docs',
  'test',
  'scripts',
  '.gitignore',
  '.github',
  '.vscode',
  '.editorconfig',
  '.eslintrc',
  '.prettierrc',
  '.nvmrc',
  '.dockerignore',
  '.clang-format',
  '.cache',
  '.config',
  '.bashrc',
  'x.json',
  'settings.py',
  'server.log',
];
