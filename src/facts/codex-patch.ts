/** One file of a patch in the form of Codex's `apply_patch`. */
export interface PatchedFile {
  readonly op: 'add' | 'update' | 'delete';
  readonly path: string;
  readonly moveTo: string | null;
  readonly added: readonly string[];
  readonly removed: number;
}

/**
 * The files of a `*** Begin Patch` text (openai/codex, apply_patch_tool_instructions.md); null if it is not one.
 * Read leniently: every `*** … File:` line counts, wherever it stands.
 */
export function codexPatch(text: string): readonly PatchedFile[] | null {
  if (!/^\s*\*\*\* (?:Begin Patch|(?:Add|Update|Delete) File:)/m.test(text)) return null;
  const files: { op: PatchedFile['op']; path: string; moveTo: string | null; added: string[]; removed: number }[] = [];
  for (const line of text.split(/\r?\n/)) {
    const head = /^\s*\*\*\* (Add|Update|Delete) File: (.+?)\s*$/.exec(line);
    const current = files.at(-1);
    if (head) {
      const op = (head[1] as string).toLowerCase() as PatchedFile['op'];
      files.push({ op, path: head[2] as string, moveTo: null, added: [], removed: 0 });
      continue;
    }
    const move = /^\s*\*\*\* Move to: (.+?)\s*$/.exec(line);
    if (!current) continue;
    if (move) current.moveTo = move[1] as string;
    else if (line.startsWith('+')) current.added.push(line.slice(1));
    else if (line.startsWith('-')) current.removed++;
  }
  return files;
}
