import type { FileDraft } from '../model/effect.ts';
import type { Nested, Outcome } from '../model/program.ts';
import { known, render, type Value } from '../model/value.ts';
import { draft } from './drafts.ts';

const READ = 20_000;
const TEXT = String.raw`"(?:[^"\\]|\\.)*"`;
/** Literals after a call's name, with no more than brackets, commas and blanks between them. */
const LITERALS = String.raw`[\s(\[{:@$]{0,8}(${TEXT}(?:[\s,;\[\](){}]{0,6}${TEXT}){0,15})`;

const RUNS = new RegExp(
  String.raw`(?:os:cmd|\b(?:system|systemf|callCommand|callProcess|readProcess|rawSystem|proc|shell|sh|exec|execFile|spawn|popen|Process|run-program|run-shell-command|shell-out|shell-command|call-process|start-process|execCmd|execShellCmd|command|Command|commandLine|create_process|process_create|getRuntime\(\)\.exec|ProcessBuilder|Sys\.command|System\.cmd|Process\.Start|Process\.run(?:Sync)?|Seq|List|unix|dos)\b)${LITERALS}`,
  'g',
);
/** Rust: `Command::new("rm").arg("-r").args(["x", "y"])`. */
const RUST = new RegExp(String.raw`\bCommand::new\(\s*(${TEXT})\s*\)((?:\s*\.\s*args?\(\s*&?\[?[^()]*\))*)`, 'g');
/** A literal that is a command by what follows it: `"…".!` in Scala, `"…".execute()`. */
const RUN_BY_METHOD = new RegExp(String.raw`(${TEXT})\s*\.\s*(?:!!?|lineStream|execute|exec)(?![\w])`, 'g');
const DELETES = new RegExp(
  String.raw`\b(?:delete-tree|delete-dir|delete-directory(?:\/files)?|delete-file|deleteRecursively|deleteDirectory|deleteIfExists|delete|removeItem|removeDirectoryRecursive|removePathForcibly|RemoveAll|removeDirectory|removeFile|remove_file|remove_dir_all|rmdir|rmtree|rm_rf|rm_r|unlink|remove|del_dir_r|del_dir|trash-file)\b(?:\s*\(?\s*(?:at(?:Path)?\s*:|URL\(fileURLWithPath:))?${LITERALS}`,
  'g',
);
/** `File("/x").deleteRecursively()` and the like. */
const DELETES_BY_METHOD = new RegExp(
  String.raw`\(\s*(${TEXT})\s*\)\s*\.\s*(?:deleteRecursively|deleteDir|deleteOnExit|delete|removeRecursively)\b`,
  'g',
);
const WRITES = new RegExp(
  String.raw`\b(?:spit|writeFile|appendFile|write-file|write-region|append-to-file|write_file|open-output-file|call-with-output-file|open_out|output_file)\b${LITERALS}`,
  'g',
);
const WRITES_BY_METHOD = new RegExp(
  String.raw`\(\s*(${TEXT})\s*\)\s*\.\s*(?:writeText|appendText|writeBytes|write|append)\b`,
  'g',
);

/**
 * What text of a language that is not scanned plainly says: calls by the usual names for running, deleting and writing,
 * with literals as their arguments. Nothing of it is certain; what is put together is not seen.
 */
export function foreignCode(codes: readonly Value[], via: string): Pick<Outcome, 'nested' | 'files'> {
  const nested: Nested[] = [];
  const files: FileDraft[] = [];
  for (const code of codes) {
    const text = render(code).slice(0, READ);
    for (const pattern of [RUNS, RUN_BY_METHOD])
      for (const match of text.matchAll(pattern)) {
        const list = literals(match[1] as string);
        if (list.length > 1) nested.push({ kind: 'argv', via, argv: list.map(known), certain: false });
        else nested.push({ kind: 'script', via, text: known(list[0] ?? ''), certain: false });
      }
    for (const match of text.matchAll(RUST)) {
      const argv = [...literals(match[1] as string), ...literals(match[2] ?? '')];
      nested.push({ kind: 'argv', via, argv: argv.map(known), certain: false });
    }
    for (const pattern of [DELETES, DELETES_BY_METHOD])
      for (const match of text.matchAll(pattern))
        for (const path of literals(match[1] as string).slice(0, 1))
          files.push(draft('delete', known(path), { certain: false, recursive: true }));
    for (const pattern of [WRITES, WRITES_BY_METHOD])
      for (const match of text.matchAll(pattern))
        for (const path of literals(match[1] as string).slice(0, 1))
          files.push(draft('write', known(path), { certain: false }));
    // A line of a prompt: `:! command`, `:sh`, `! command`.
    for (const match of text.matchAll(/(?:^|\n)\s*:?!\s*(\S[^\n]*)/g))
      nested.push({ kind: 'script', via, text: known(match[1] as string), certain: false });
  }
  return {
    nested: nested.filter((one) => one.kind !== 'script' || one.text.length > 0).slice(0, 64),
    files: files.slice(0, 64),
  };
}

function literals(source: string): readonly string[] {
  return [...source.matchAll(new RegExp(TEXT, 'g'))].map((match) =>
    match[0].slice(1, -1).replace(/\\(.)/g, (_, c: string) => (c === 'n' ? '\n' : c)),
  );
}
