// Apart from src/world/settings-code.ts, which few calls need.

/** Ends of the names that occur there. */
const MAYBE =
  /(?:rc|rc\.yml|\.conf|\.config|\.toml|\.properties|\.ya?ml|pnpmfile\.[cm]?js|customize\.py|\.pth|composer\.json|gemfile|gems\.rb|\.txt|\.in|\.code-workspace|\/config)$/;

/** False if a file is surely none of the settings that `settingsThatRun` reads: most files are not. */
export function mayBeSettings(path: string): boolean {
  return MAYBE.test(path.toLowerCase());
}
