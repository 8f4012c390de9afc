import type { World } from '../model/world.ts';
import { isUnder, normalise, parentOf } from './paths.ts';

const MOST = 64;

/**
 * Roots of the other work trees of the workspace's repository, as git wrote them down (gitrepository-layout(5),
 * `worktrees/<id>/gitdir`), and the main one if the workspace is a linked tree.
 */
function otherTrees(world: World): readonly string[] {
  const git = `${world.workspace}/.git`;
  const pointer =
    world.kind(git) === 'file' ? /^gitdir: (.+)$/m.exec(world.readText(git) ?? '')?.[1]?.trim() : undefined;
  const linked = pointer === undefined ? null : /^(.+\/\.git)\/worktrees\/[^/]+\/?$/.exec(normalise(pointer))?.[1];
  const common = linked ?? git;
  const roots = (world.list(`${common}/worktrees`) ?? []).slice(0, MOST).flatMap((id) => {
    const file = world.readText(`${common}/worktrees/${id}/gitdir`)?.trim();
    return file?.startsWith('/') && file.endsWith('/.git') ? [parentOf(normalise(file))] : [];
  });
  return linked ? [...roots, parentOf(linked)] : roots;
}

/**
 * True for what lies in another work tree of the same repository: it is the same project. Not its `.git`, and nothing if
 * a tree holds the home directory or the workspace.
 */
export function treeFinder(world: World): (path: string) => boolean {
  let trees: readonly string[] | null = null;
  return (path) => {
    trees ??= otherTrees(world).filter((root) => !isUnder(world.home, root) && !isUnder(world.workspace, root));
    return trees.some((root) => isUnder(path, root) && !path.slice(root.length).split('/').includes('.git'));
  };
}
