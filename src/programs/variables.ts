import type { EffectDraft } from '../model/effect.ts';
import { concat, isDynamic, knownPrefix, render, textOf, type Value } from '../model/value.ts';

/** How a variable makes a later program run code. */
interface CodeVariable {
  readonly pattern: RegExp;
  /** Manual page that says so. */
  readonly manual: string;
  readonly does: string;
  /** `shell`: its text is run by a shell. `program`: a program, perhaps with options, whose harmless names are known. `code`: it names or holds code that is loaded. */
  readonly holds: 'shell' | 'program' | 'code';
  /** Only values like these run code. */
  readonly when?: RegExp;
  /** Values that are known to do no harm. */
  readonly harmless?: RegExp;
  /** For lists of directories: those of the system, and those in which a project's build leaves its own libraries. */
  readonly entries?: RegExp;
}

const EMPTY = /^\s*$/;

/** Programs that are named as pager, editor, browser or prompt and do only that. */
const ORDINARY_PROGRAMS =
  /^(\/(usr\/)?(local\/)?bin\/|\/opt\/homebrew\/bin\/)?(cat|less|more|most|bat|batcat|delta|diff-so-fancy|true|false|:|echo|vi|vim|nvim|nano|pico|emacs|emacsclient|micro|helix|hx|kak|joe|ed|sed -(i|E -i|i -E|i\.bak)( [^;|&`$<>]*)?|code|codium|cursor|zed|subl|mate|atom|gedit|kate|mousepad|notepad|xdg-open|open|firefox|chrome|google-chrome|chromium|safari|w3m|lynx|links|elinks|wslview|none|ssh|ksshaskpass|ssh-askpass|difft|difftastic|meld|kdiff3|vimdiff|sensible-editor|sensible-pager|sensible-browser)(\s+-{1,2}[\w=.,:+-]+)*\s*$/;

/** ssh with options that run nothing. */
const PLAIN_SSH =
  /^(\/usr\/bin\/)?ssh(\s+(-[46Taqvx]+|-i\s*\S+|-p\s*\d+|-F\s*\/dev\/null|-o\s*(StrictHostKeyChecking|UserKnownHostsFile|GlobalKnownHostsFile|BatchMode|IdentitiesOnly|ConnectTimeout|ServerAlive\w+|LogLevel|PreferredAuthentications|PasswordAuthentication|IdentityAgent|IdentityFile|ControlMaster|ControlPath|ControlPersist|AddKeysToAgent)[= ]\S+))*\s*$/i;

const VARIABLES: readonly CodeVariable[] = [
  {
    pattern: /^GIT_SSH_COMMAND$/,
    manual: 'git(1), ENVIRONMENT VARIABLES',
    does: 'is run by git',
    holds: 'shell',
    harmless: PLAIN_SSH,
  },
  {
    pattern: /^(LD_PRELOAD|LD_AUDIT|DYLD_INSERT_LIBRARIES)$/,
    manual: 'ld.so(8), dyld(1)',
    does: 'loads a library into every program',
    holds: 'code',
  },
  {
    pattern: /^(LD_LIBRARY_PATH|DYLD_(FALLBACK_)?(LIBRARY|FRAMEWORK)_PATH|DYLD_ROOT_PATH|LD_ORIGIN_PATH)$/,
    manual: 'ld.so(8)',
    does: 'changes where libraries are loaded from',
    holds: 'code',
    entries:
      /^((\/usr(\/local)?\/(lib|cuda)[\w.-]*|\/opt|\/lib|\/nix\/store|\/Library|\/usr\/lib).*|\$\{[^}]*\}|\$\{[^}]*\b(CONDA_PREFIX|VIRTUAL_ENV|CUDA_(HOME|PATH|ROOT)|JAVA_HOME)\b[^}]*\}\/[\w/.-]*|(\.\/)?\w[\w/.-]*|\/(?!(private\/)?(var\/)?tmp\/|dev\/shm\/).*\/(lib(s|64|32)?|build|debug|release)\/?)?$/i,
  },
  {
    pattern: /^(BASH_ENV|ZDOTDIR|KSH_ENV)$/,
    manual: 'bash(1), zsh(1), ksh(1)',
    does: 'names a file that every shell runs',
    holds: 'code',
    when: /./,
  },
  {
    // Many applications have a variable of this name, for `production` and the like.
    pattern: /^ENV$/,
    manual: 'sh(1)',
    does: 'names a file that every shell runs',
    holds: 'code',
    when: /[/~.]|^\$\{/,
  },
  {
    pattern: /^(PROMPT_COMMAND|PS0|PS1|PS2|PS4|RPROMPT|PROMPT)$/,
    manual: 'bash(1)',
    does: 'is run or expanded by the shell at each prompt or command',
    holds: 'shell',
    when: /\$\(|`|^(?!.*\\).*[;|&]|^\w[\w./-]* /,
  },
  { pattern: /^BASH_FUNC_.*(%%|\(\))?$/, manual: 'bash(1)', does: 'defines a function in every shell', holds: 'code' },
  {
    pattern: /^(GIT_EXTERNAL_DIFF|GIT_PROXY_COMMAND|GIT_SEQUENCE_EDITOR|GIT_EDITOR|GIT_PAGER)$/,
    manual: 'git(1), ENVIRONMENT VARIABLES',
    does: 'is run by git',
    holds: 'shell',
    harmless: ORDINARY_PROGRAMS,
  },
  {
    pattern: /^(GIT_SSH|GIT_ASKPASS|SSH_ASKPASS|SUDO_ASKPASS|SSH_SK_HELPER|SSH_PKCS11_HELPER)$/,
    manual: 'git(1), ssh(1), sudo(8)',
    does: 'names a program that is run',
    holds: 'program',
    harmless: ORDINARY_PROGRAMS,
  },
  {
    pattern: /^(GIT_CONFIG_PARAMETERS|GIT_CONFIG_(VALUE|KEY)_\d+|GIT_EXEC_PATH|GIT_TEMPLATE_DIR)$/,
    manual: 'git-config(1)',
    does: 'changes the configuration or helpers of git',
    holds: 'code',
    when: /^(?!(safe\.directory|user\.(name|email)|init\.defaultbranch|color\.\S+|core\.(quotepath|autocrlf|longpaths)|http\.\S*version|advice\.\S+|gc\.auto|commit\.gpgsign|tag\.gpgsign|'?(safe\.directory|user\.\w+|commit\.gpgsign)).*$)(.*(ssh|pager|editor|hook|alias|fsmonitor|filter|diff|merge|credential|proxy|askpass|textconv|program|exec|include|cmd|\/|!|\$\{).*)$/i,
  },
  {
    pattern: /^(GIT_CONFIG|GIT_CONFIG_GLOBAL|GIT_CONFIG_SYSTEM)$/,
    manual: 'git(1)',
    does: 'names another configuration of git',
    holds: 'code',
    harmless: /^\/dev\/null$/,
  },
  {
    pattern:
      /^(PAGER|MANPAGER|SYSTEMD_PAGER|GH_PAGER|AWS_PAGER|BAT_PAGER|DELTA_PAGER|PSQL_PAGER|EDITOR|VISUAL|FCEDIT|SUDO_EDITOR|KUBE_EDITOR|GH_EDITOR|SVN_EDITOR|HGEDITOR|BROWSER|GH_BROWSER|PERLDOC_PAGER|MANOPT|SVN_SSH|CVS_RSH|RSYNC_RSH|RSYNC_CONNECT_PROG)$/,
    manual: 'environ(7), man(1), less(1)',
    does: 'is run by the programs that show or edit text',
    holds: 'shell',
    harmless: ORDINARY_PROGRAMS,
  },
  {
    pattern: /^(LESSOPEN|LESSCLOSE)$/,
    manual: 'less(1)',
    does: 'is run by less for each file',
    holds: 'shell',
    harmless: /^\|{0,2}-?\s*(\/usr\/bin\/)?(lesspipe(\.sh)?|lessfile|highlight\S*|src-hilite-lesspipe\.sh)( %s){0,2}$/,
  },
  {
    pattern: /^(LESSKEY|LESSKEYIN|LESSKEY_CONTENT|LESS)$/,
    manual: 'less(1)',
    does: 'gives less commands',
    holds: 'code',
    when: /[+!|]|\/tmp|\$\{/,
  },
  {
    pattern: /^NODE_OPTIONS$/,
    manual: 'node(1)',
    does: 'makes node load code',
    holds: 'code',
    when: /(^|\s)(-r|--require|--import|--loader|--experimental-loader|--env-file|--inspect-brk-node|--eval|-e|--openssl-config|--snapshot-blob|--diagnostic-dir|--inspect(-brk)?=(?!(127\.0\.0\.1|localhost|\d+\b)))|\$\{/,
  },
  {
    pattern: /^NODE_PATH$/,
    manual: 'node(1)',
    does: 'changes where node loads modules from',
    holds: 'code',
    when: /\/tmp|\/var\/tmp|\/dev\/shm/,
  },
  {
    pattern: /^(PYTHONSTARTUP|PYTHONHOME|PYTHONINSPECT|PYTHONBREAKPOINT|PYTHONUSERBASE|PYTHONEXECUTABLE)$/,
    manual: 'python(1)',
    does: 'makes python load code',
    holds: 'code',
    harmless: /^(0|1|i?pdb\.set_trace|ipdb\.set_trace|pudb\.set_trace|debugpy\.breakpoint)?$/,
  },
  {
    pattern: /^PYTHONWARNINGS$/,
    manual: 'python(1): a category may name a module',
    does: 'makes python import a module',
    holds: 'code',
    when: /:(?![^:]*Warning\b)\s*[a-z_]\w*\.\w/,
  },
  {
    pattern: /^PYTHONPATH$/,
    manual: 'python(1)',
    does: 'changes where python loads modules from',
    holds: 'code',
    when: /(^|:)(\/tmp|\/var\/tmp|\/dev\/shm)/,
  },
  {
    pattern: /^(PERL5OPT|PERL5DB|PERLLIB|PERL5LIB)$/,
    manual: 'perlrun(1)',
    does: 'makes perl load code',
    holds: 'code',
    when: /^(?!(lib|\.\/lib|\$\{PWD\}\/lib|local\/lib\/perl5|-w|-W)$)./,
  },
  {
    pattern: /^(RUBYOPT|RUBYLIB)$/,
    manual: 'ruby(1)',
    does: 'makes ruby load code',
    holds: 'code',
    when: /-r|-I|^\/|\/tmp|\$\{/,
    harmless: /^(\s*(-W:?\S*|-w|--(yjit|jit|enable\S*|disable\S*)|-rbundler\/setup|-E\s*\S+))*$/,
  },
  {
    pattern:
      /^(JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|MAVEN_OPTS|GRADLE_OPTS|SBT_OPTS|JAVA_OPTS|CATALINA_OPTS)$/,
    manual: 'java(1)',
    does: 'makes java load code',
    holds: 'code',
    when: /-javaagent|-agentpath|-agentlib(?!:jdwp=\S*address=(\d|localhost|127))|-Xbootclasspath|-XX:OnError|-XX:OnOutOfMemoryError|\$\{/,
  },
  {
    pattern:
      /^(RUSTC_WRAPPER|RUSTC_WORKSPACE_WRAPPER|RUSTC|RUSTDOC|CARGO_BUILD_RUSTC|CARGO_BUILD_RUSTDOC|CARGO_BUILD_RUSTC_WRAPPER|CARGO_BUILD_RUSTC_WORKSPACE_WRAPPER|CARGO_TARGET_\w+_(RUNNER|LINKER))$/,
    manual: 'The Cargo Book: environment variables',
    does: 'is run by cargo',
    holds: 'program',
    harmless:
      /^((\/\S*\/)?(sccache|ccache|rustc|rustdoc|cachepot|clippy-driver|gcc|cc|clang|lld|ld\.lld|[\w-]+-gcc|wasm-pack|wasm-bindgen-test-runner|qemu-[\w-]+)(\s.*)?)?$/,
  },
  {
    pattern: /^(TAR_OPTIONS|RSYNC_PARTIAL_DIR|ZIPOPT|UNZIP|GREP_OPTIONS|MAKEFLAGS|MAKEFILES|GNUMAKEFLAGS)$/,
    manual: 'tar(1), make(1)',
    does: 'adds options that can run programs',
    holds: 'code',
    when: /--to-command|--checkpoint-action|--use-compress|--rmt|--rsh|-I|--eval|-f\s|SHELL=|\.mk\b|\/|\$\{/,
  },
  {
    pattern: /^(COMP_WORDBREAKS_CMD|MAIL_COMMAND|FZF_DEFAULT_COMMAND|FZF_CTRL_T_COMMAND|SKIM_DEFAULT_COMMAND)$/,
    manual: 'fzf(1)',
    does: 'is run by a finder',
    holds: 'shell',
    harmless: /^(fd|rg|find|git ls-files|ag)\b[^;|&`$<>]*$/,
  },
  {
    pattern: /^(ELECTRON_RUN_AS_NODE_SCRIPT|VIMINIT|EXINIT|MYVIMRC|GVIMINIT|NVIM_APPNAME_INIT|INPUTRC)$/,
    manual: 'vim(1)',
    does: 'gives an editor commands',
    holds: 'code',
    harmless: /^(set [\w =,]*|\/etc\/inputrc)$/,
  },
  {
    pattern:
      /^(OPENSSL_CONF|OPENSSL_ENGINES|OPENSSL_MODULES|GCONV_PATH|GTK_MODULES|GTK_PATH|QT_PLUGIN_PATH|GIO_EXTRA_MODULES|LUA_INIT\w*|LUA_CPATH|PHP_INI_SCAN_DIR|PHPRC|TCLLIBPATH|R_PROFILE\w*|R_ENVIRON\w*|JULIA_LOAD_PATH|GEM_PATH_HOOK|DOTNET_STARTUP_HOOKS|CORECLR_PROFILER_PATH|COR_PROFILER_PATH|DOTNET_ADDITIONAL_DEPS|ERL_AFLAGS|ERL_FLAGS|ERL_ZFLAGS|ELIXIR_ERL_OPTIONS)$/,
    manual: 'openssl(1), lua(1), dotnet startup hooks',
    does: 'makes a program load code',
    holds: 'code',
    harmless: /^(\/dev\/null|\/etc\/ssl\/[\w./-]+|)$/,
    when: /[/\\]|\$\{|@|-s\b|-eval|--eval/,
  },
  {
    pattern:
      /^(npm_config_(script_shell|node_options|git|userconfig|globalconfig|prefix_hook)|NPM_CONFIG_(SCRIPT_SHELL|NODE_OPTIONS|GIT|USERCONFIG))$/,
    manual: 'npm-config(7)',
    does: 'names a program that npm runs',
    holds: 'program',
    harmless: /^((\/usr)?\/bin\/)?(bash|sh|zsh|git)$|^\/dev\/null$/,
  },
  {
    pattern: /^(GCC_EXEC_PREFIX|COMPILER_PATH|CCACHE_PREFIX|CCACHE_PREFIX_CPP|CCACHE_COMPILER)$/,
    manual: 'gcc(1), ccache(1)',
    does: 'names programs that the compiler runs',
    holds: 'program',
    harmless: /^(distcc|icecc|sccache)$/,
  },
  {
    pattern: /^GOFLAGS$/,
    manual: 'go help environment',
    does: 'adds options to every go command',
    holds: 'code',
    when: /-(toolexec|exec|vettool|overlay|insecure)\b/,
  },
  {
    pattern:
      /^(CC|CXX|CPP|FC|LD|AR|AS|NM|CMAKE_TOOLCHAIN_FILE|RIPGREP_CONFIG_PATH|WGETRC|CURL_HOME|ACKRC|CSCOPE_EDITOR|SHELL|TF_CLI_CONFIG_FILE|PIP_CONFIG_FILE|UV_CONFIG_FILE|PSQLRC|MYSQL_HOME|GRADLE_USER_HOME|YARN_YARN_PATH|YARN_PLUGINS|CLOUDSDK_PYTHON|AWS_CONFIG_FILE|BUNDLE_CONFIG|npm_config_(global_)?pnpmfile|NPM_CONFIG_(GLOBAL_)?PNPMFILE)$/,
    manual: 'make(1), cmake-env-variables(7), rg(1), wget(1), curl(1)',
    does: 'names a program that is run, or settings that may name one',
    holds: 'code',
    when: /^(\/tmp|\/var\/tmp|\/dev\/shm)\//,
  },
  {
    pattern: /^(FZF_DEFAULT_OPTS|SKIM_DEFAULT_OPTIONS)$/,
    manual: 'fzf(1)',
    does: 'gives a finder commands to run',
    holds: 'code',
    when: /execute|become|transform|reload|--preview[ =](?!['"]?(cat|bat|head|ls|tree|file|echo|eza|git (show|log|diff))\b)/,
  },
  {
    pattern:
      /^(PIP_(EXTRA_)?INDEX_URL|UV_(DEFAULT_|EXTRA_)?INDEX(_URL)?|npm_config_registry|NPM_CONFIG_REGISTRY|YARN_(NPM_)?REGISTRY(_SERVER)?|COMPOSER_REPOSITORY|COREPACK_NPM_REGISTRY|GOPROXY|CARGO_REGISTRIES_\w+_INDEX|BUN_CONFIG_REGISTRY)$/,
    manual: 'pip(1), uv(1), npm-config(7), go help goproxy',
    does: 'takes packages from another index',
    holds: 'code',
    harmless:
      /^((https:\/\/(registry\.npmjs\.org|registry\.yarnpkg\.com|registry\.npmmirror\.com|npm\.pkg\.github\.com|(test\.)?pypi\.org|download\.pytorch\.org|pypi\.nvidia\.com|proxy\.golang\.org|goproxy\.(cn|io)|pypi\.tuna\.tsinghua\.edu\.cn|mirrors\.aliyun\.com)|https?:\/\/(localhost|127\.0\.0\.1)(:\d+)?)(\/[\w./-]*)?|direct|off|,|\|)*$/,
  },
  {
    pattern: /^(DOCKER_HOST|KUBECONFIG_EXEC)$/,
    manual: 'docker(1)',
    does: 'sends commands to another engine',
    holds: 'code',
    when: /^ssh:|^tcp:(?!\/\/(localhost|127\.))/,
  },
];

/**
 * A variable that makes a later program run code when set to this value (LD_PRELOAD, GIT_SSH_COMMAND, PAGER …), or
 * null. Values that are known to do no harm (`EDITOR=true`, `NODE_OPTIONS=--max-old-space-size=4096`) give null.
 */
export function codeVariable(name: string, value: Value): EffectDraft | null {
  if (name === 'PATH') return pathEffect(value);
  const row = VARIABLES.find(({ pattern }) => pattern.test(name));
  if (!row) return null;
  const text = render(value);
  if (EMPTY.test(text)) return null;
  if (row.entries && listed(text, row.entries)) return null;
  if (row.harmless?.test(text) || (row.when && !row.when.test(text))) return null;
  if (row.holds === 'shell' && isDynamic(value) && knownPrefix(value) === '') {
    return { kind: 'env-inject', target: name, detail: `${name} ${row.does}: its value is not known`, certain: false };
  }
  return { kind: 'env-inject', target: name, detail: `${name} ${row.does}: ${text}` };
}

function listed(text: string, each: RegExp): boolean {
  return text.split(':').every((entry) => each.test(entry) && !/(^|\/)\.\.(\/|$)/.test(entry));
}

/** The shell text that a later program will run because of the variable, or null. */
export function codeVariableScript(name: string, value: Value): Value | null {
  const row = VARIABLES.find(({ pattern }) => pattern.test(name));
  if (!row || row.holds === 'code' || codeVariable(name, value) === null) return null;
  if (name === 'LESSOPEN' || name === 'LESSCLOSE') return withoutStart(value, /^\|{0,2}-?\s*/);
  if (/^PS\d$|PROMPT$/.test(name)) {
    // Only the command substitutions of a prompt are run.
    const text = textOf(value);
    return text === null ? null : [`: "${text.replace(/[\\"]/g, '\\$&')}"`];
  }
  return value;
}

const USUAL =
  /^(\/bin|\/sbin|\/usr(\/local)?\/s?bin|\/usr(\/local)?\/games|\/snap\/bin|\/opt\/.*|\/nix\/.*|\/run\/.*|\/home\/linuxbrew\/.*|\/usr\/.*|\/Library\/.*|\/Applications\/.*|\/System\/.*|\/mnt\/[a-z]\/.*|\/root\/\.[\w.-]+\/.*|\/etc\/.*|[A-Z]:.*|\/[a-z]\/.*)\/?$/;

/** Directories in which tools of the project or the user are installed: `node_modules/.bin`, `.venv/bin`, `~/.cargo/bin`. */
const TOOL_DIRECTORY =
  /(^|\/)(node_modules\/\.bin|\.?venv\/(bin|Scripts)|env\/bin|vendor\/bin|\.bin|bin|sbin|shims|Scripts|\.pub-cache\/bin|libexec|gnubin|current|platform-tools|cmdline-tools\/latest\/bin|emulator|Contents\/Home\/bin|\.deno\/bin|\.bun\/bin|\.local\/share\/pnpm|pnpm|\.yarn\/bin|\.cargo\/bin|go\/bin|\.foundry\/bin|\.dotnet(\/tools)?|\.rbenv\/\w+|\.pyenv\/\w+|\.asdf\/\w+|flutter\/bin|google-cloud-sdk\/bin|build|target\/(debug|release)|out|dist|scripts|tools)\/?$/;

/** PATH that gains a directory in which anybody may put a program, before or behind the usual ones. */
function pathEffect(value: Value): EffectDraft | null {
  const added = render(value)
    .split(':')
    .filter((entry) => !/^\$\{[^}]*\}$/.test(entry) && entry !== '');
  const odd = added.find((entry) => isOdd(entry));
  if (odd === undefined) return null;
  return { kind: 'env-inject', target: 'PATH', detail: `PATH gains ${odd}, where programs of the usual names may lie` };
}

function isOdd(entry: string): boolean {
  if (/^(\/tmp|\/var\/tmp|\/dev\/shm|\/private\/tmp)(\/|$)/.test(entry))
    return !/\/(node_modules\/\.bin|\.?venv\/bin)\/?$/.test(entry);
  if (entry === '.' || entry === './' || entry === '..') return true;
  if (USUAL.test(entry) || TOOL_DIRECTORY.test(entry)) return false;
  return (
    !/^[/~$]/.test(entry) ||
    !/\/(\.[\w-]+|opt|tools?|sdk|android-sdk|[\w.-]*(jdk|java|go|node|python|ruby)[\w.-]*)\//i.test(`${entry}/`)
  );
}

function withoutStart(value: Value, start: RegExp): Value {
  const [first, ...rest] = value;
  return typeof first === 'string' ? concat([first.replace(start, '')], rest) : value;
}
