import type { FileDraft } from '../model/effect.ts';
import type { ToolCall } from '../model/tool-call.ts';
import { concat, known, textOf, type Value } from '../model/value.ts';
import type { Overlay } from '../model/world.ts';
import { patchPaths } from '../programs/patch-paths.ts';
import { codexPatch } from './codex-patch.ts';
import { changedLines, edited, type Replacement } from './edits.ts';
import { type Fields, listOf, recordOf, text, textIn } from './fields.ts';
import { type Direct, malformed } from './findings.ts';
import { bracesSpelledOut, patternPath, toolPath } from './tool-paths.ts';

const PATH_FIELDS = ['file_path', 'path', 'notebook_path', 'filePath', 'absolute_path', 'filename', 'file'] as const;

/** Read, view: the file and nothing else. */
export function readTool(call: ToolCall, world: Overlay): Direct {
  const paths = pathsOf(call.input);
  if (paths.length === 0) return malformed('file_path', 'the path is missing or not a text');
  if (paths.some((path) => path.includes('\0'))) return malformed('file_path', 'the path holds a NUL');
  // A `~` is certain enough to ask before a read; what is doubtful is only whether a write would land at home.
  return { files: paths.map((path) => ({ op: 'read', path: toolPath(path, world.home).path })) };
}

/** Write, create: the whole content. */
export function writeTool(call: ToolCall, world: Overlay): Direct {
  const path = textIn(call.input, ...PATH_FIELDS);
  const content = textIn(call.input, 'content', 'file_text', 'contents', 'text', 'new_source');
  if (path === null) return malformed('file_path', 'the path is missing or not a text');
  if (content === null) return malformed('content', 'the content is missing or not a text');
  if (path === '' || path.includes('\0')) return malformed('file_path', 'the path is empty or holds a NUL');
  // A tool takes one of them; which one, only it knows.
  const paths = new Set(PATH_FIELDS.flatMap((field) => textIn(call.input, field) ?? []));
  return { files: [...paths].map((one) => written(one, content, call, world)) };
}

function written(path: string, content: string, call: ToolCall, world: Overlay): FileDraft {
  const { added, removed } = changedLines(before(path, call, world) ?? '', content);
  return { op: 'write', ...toolPath(path, world.home), content: known(content), added, removed };
}

/** Edit, MultiEdit, NotebookEdit, replace, apply_patch and their like. */
export function editTool(call: ToolCall, world: Overlay): Direct {
  const patch = textIn(call.input, 'patch', 'input', 'command', 'diff');
  const patched = patch === null ? null : patchFiles(patch, call, world);
  if (patched) return { files: patched };
  const path = textIn(call.input, ...PATH_FIELDS);
  if (path === null) return malformed('file_path', 'the path is missing or not a text');
  const edits = replacementsOf(call.input);
  if (edits === null) return malformed('edits', 'the edits are not a list of replacements');
  const old = before(path, call, world);
  const now = old === null ? null : edited(old, edits);
  let added = 0;
  let removed = 0;
  for (const edit of edits) {
    const times =
      edit.everywhere && old !== null && edit.before !== '' ? Math.max(1, old.split(edit.before).length - 1) : 1;
    const lines = changedLines(edit.before, edit.after);
    added += lines.added * times;
    removed += lines.removed * times;
  }
  const content = known(now ?? edits.map((edit) => edit.after).join('\n'));
  return { files: [{ op: 'write', ...toolPath(path, world.home), content, added, removed }] };
}

function replacementsOf(input: Fields): readonly Replacement[] | null {
  const one = (fields: Fields): Replacement => ({
    before: textIn(fields, 'old_string', 'old_str', 'oldText', 'oldString', 'old_text', 'search') ?? '',
    after:
      textIn(
        fields,
        'new_string',
        'new_str',
        'newText',
        'newString',
        'new_text',
        'replace',
        'new_source',
        'insert_text',
        'content',
        'file_text',
      ) ?? '',
    everywhere: fields['replace_all'] === true || fields['replaceAll'] === true || fields['allow_multiple'] === true,
  });
  const given = input['edits'] ?? input['replacements'];
  if (given === undefined) return [one(input)];
  const list = listOf(given)?.map(recordOf);
  return list?.every((edit) => edit !== null) ? list.map((edit) => one(edit as Fields)) : null;
}

function patchFiles(patch: string, call: ToolCall, world: Overlay): readonly FileDraft[] | null {
  const files = codexPatch(patch);
  if (files) {
    return files.flatMap((file): FileDraft[] => {
      const at = toolPath(file.path, world.home);
      const content = known(file.added.join('\n'));
      if (file.op === 'delete') return [{ op: 'delete', ...at, removed: lineCount(file.path, call, world) }];
      const lines = { added: file.added.length, removed: file.removed, content };
      if (file.moveTo === null) return [{ op: 'write', ...at, ...lines }];
      const to = toolPath(file.moveTo, world.home);
      return [
        { op: 'write', ...to, ...lines },
        { op: 'move', ...at, to: to.path },
      ];
    });
  }
  const paths = patchPaths(patch, /^diff --git |^--- a\//m.test(patch) ? 1 : 0);
  return paths.length === 0 ? null : paths.map(({ op, path }) => ({ op, ...toolPath(path, world.home) }));
}

/** Grep reads, Glob and LS list. A file pattern that names protected files counts as naming them. */
export function searchTool(call: ToolCall, world: Overlay): Direct {
  const { input } = call;
  const names = /glob|^ls$|list|find|tree/i.test(call.rawTool) && !/grep|search_(?:file_)?content/i.test(call.rawTool);
  const op = names ? 'list' : 'read';
  // Gemini CLI: every one of `include` is a path or a pattern.
  const many = call.rawTool === 'read_many_files';
  const roots = many ? [] : pathsOf(input, 'path', 'dir_path', 'directory', 'target_directory', 'paths');
  const bases = (roots.length === 0 ? [call.cwd] : roots).map((root) => toolPath(root, world.home));
  const pattern = names
    ? textIn(input, 'pattern', 'glob_pattern', 'glob')
    : textIn(input, 'glob', 'include', 'include_pattern', 'file_pattern', 'includes');
  const asked = many ? pathsOf(input, 'include', 'paths') : (pattern ?? '').split(names ? /(?!)/ : /\s+(?=\S)/);
  const patterns = asked.flatMap((p) => bracesSpelledOut(p.trim()));
  const files: FileDraft[] = [];
  for (const { path } of bases) {
    const wanted = patterns.filter((p) => p !== '' && !p.startsWith('!'));
    files.push({ op, path, recursive: true, partial: wanted.length > 0 });
    for (const p of wanted) files.push({ op, path: patternBelow(path, p), partial: true });
  }
  return { files };
}

function patternBelow(base: Value, pattern: string): Value {
  if (pattern.startsWith('/')) return patternPath(pattern);
  // `**/` matches no directory too, and a pattern without a slash matches at any depth.
  const near = pattern.replace(/^(?:\.\/)?(?:\*\*\/)+/, '');
  const text = textOf(base);
  return text === null ? base : concat(known(text.endsWith('/') ? text : `${text}/`), patternPath(near));
}

function pathsOf(input: Fields, ...fields: readonly string[]): readonly string[] {
  for (const field of fields.length > 0 ? fields : [...PATH_FIELDS, 'paths', 'files', 'file_paths']) {
    const value = input[field];
    const list = typeof value === 'string' ? [value] : listOf(value);
    const texts = list
      ?.map((item) => text(item) ?? textIn(recordOf(item) ?? {}, ...PATH_FIELDS))
      .filter((t) => t !== null);
    if (texts && texts.length > 0) return texts as string[];
  }
  return [];
}

function before(path: string, call: ToolCall, world: Overlay): string | null {
  const { real } = world.resolve(known(call.cwd), toolPath(path, world.home).path, true);
  return real === null ? null : world.readText(real);
}

function lineCount(path: string, call: ToolCall, world: Overlay): number {
  return changedLines(before(path, call, world) ?? '', '').removed;
}
