import type { EffectDraft } from '../model/effect.ts';
import { knownPrefix, render, textOf, type Value } from '../model/value.ts';

/** How a package is named: in the registry, or by where it is fetched from. */
export function isRemoteSource(name: Value): boolean {
  const text = render(name);
  return (
    /^(?:[\w+.-]+@)?(?:git\+|git:|git@|hg\+|svn\+|bzr\+|https?:|ftp:|ssh:|github:|gitlab:|bitbucket:|gist:)/i.test(
      text,
    ) ||
    /\s@\s*(?:git\+|https?:)/.test(text) ||
    /@(?:git\+|https?:|git:|github:|file:\/\/\/\/)/.test(text)
  );
}

/** A directory or archive on this machine. */
function isLocalSource(name: Value): boolean {
  const text = knownPrefix(name);
  return (
    /^(?:\.{0,2}\/|\.{1,2}$|\.\[|~\/|file:|link:|workspace:)/.test(text) ||
    /\.(?:whl|tgz|tar\.gz|zip|gem|crate|nupkg)$/.test(text)
  );
}

/** The public registries, the indexes of PyTorch and NVIDIA, whose builds are on none, and a registry on this machine. */
function isUsualIndex(index: Value): boolean {
  const text = textOf(index);
  return (
    text !== null &&
    /^(?:https:\/\/(?:registry\.npmjs\.org|registry\.yarnpkg\.com|rubygems\.org|pypi\.org|download\.pytorch\.org|pypi\.nvidia\.com)|https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?)(?:\/|$)/.test(
      text,
    )
  );
}

interface InstallRow {
  /** The packages asked for; none: the project's dependencies. */
  readonly packages: readonly Value[];
  /** Files among them that this call has downloaded. */
  readonly remote?: readonly Value[];
  /** For the whole user account. */
  readonly global?: boolean;
  /** Another index than the usual one. */
  readonly index?: readonly Value[];
  readonly what?: string;
}

/** The effects of installing packages: for the project, for the account, or from an address. */
export function installs(row: InstallRow): readonly EffectDraft[] {
  const remote = [
    ...(row.remote ?? []),
    ...row.packages.filter(isRemoteSource),
    ...(row.index ?? []).filter((i) => !isUsualIndex(i)),
  ];
  const named = row.packages.filter((p) => !isRemoteSource(p) && !isLocalSource(p));
  const kind = row.global ? 'install-global' : 'install';
  const target = named.map(render).join(' ') || (row.what ?? 'dependencies of the project');
  const remotes = remote.map(
    (p): EffectDraft => ({ kind: 'install-remote', target: render(p), detail: 'installs from an address' }),
  );
  return named.length > 0 || row.packages.length === 0 ? [...remotes, { kind, target }] : remotes;
}
