/** What a code means, why it matters, what to do. The pages of the guide are made from this. */
export interface CodePage {
  readonly found: string;
  readonly why: string;
  readonly fix: string;
}

const page = (found: string, why: string, fix: string): CodePage => ({ found, why, fix });

/** Codes of `gov policy lint`: files that compile, and still may not do what their author means. */
export const LINT_CODES = {
  'no-test': page(
    'A rule has no tests.',
    'Nobody knows whether it fires, and nobody notices when it stops.',
    'Add `tests` with `match` and `no_match`.',
  ),
  'untested-side': page(
    'All tests of a rule are of one kind.',
    'A rule that always fires passes `match`; one that never fires passes `no_match`.',
    'Add a case of the other kind. A rule that is `status: stable` must have both.',
  ),
  'dead-rule': page(
    'A rule can never fire.',
    'It looks like protection and is none.',
    'Correct its filters or its condition, or delete it.',
  ),
  'unknown-value': page(
    'A condition compares a field with a word that the field never has.',
    'The comparison is always false, mostly because of a misspelling.',
    'Use one of the words that the reference of the rule language lists.',
  ),
  'shadowed-rule': page(
    'Two rules have the same condition and filters, and one is at least as strict.',
    'The milder one never decides.',
    'Delete it, or narrow it.',
  ),
  'unused-list': page(
    'A list is used by no rule and no macro.',
    'Adding to it changes nothing.',
    'Use it or delete it.',
  ),
  'unused-macro': page(
    'A macro is used by no rule and no macro.',
    'It only looks like part of a rule.',
    'Use it or delete it.',
  ),
  'unused-evidence': page(
    'No rule asks for a kind of evidence.',
    'Nothing is recorded for it, and nothing comes of it.',
    'Ask for it with `requires` or `evidence(KIND, KEY)`, or delete it.',
  ),
  'unanchored-glob': page(
    'A relative glob is compared with absolute paths.',
    'Real paths start with `/`: `src/*.ts` matches none of them.',
    'Start it with `**/`, `/` or `~/`.',
  ),
  'path-as-written': page(
    'A condition compares `path` of a file, which is the text as it was written.',
    'After `cd db`, `db/x` is written `x`; a link or a word that is not known hides the file as well.',
    'Ask the file itself: `file.matchesAny(…)`, `file.touches(…)`, `file.under(…)`, or compare `file.real`.',
  ),
  'dir-glob-misses-dir': page(
    'A rule about deleting or moving files matches `dir/**` and not `dir`.',
    '`dir/**` is what lies in the directory: deleting the directory itself slips through.',
    'Use `file.touches(…)` instead of `matchesAny`, or list the directory as well.',
  ),
  'cel-cost': page(
    'A condition loops inside a loop inside a loop.',
    'Its cost grows with the third power of the call, and past the step budget it is an error.',
    'Use `each`, or a field of the command (`command.targets`) instead of a second loop.',
  ),
  'regex-backtracking': page(
    'A pattern repeats a group that repeats.',
    'gov matches it in linear time, but other tools that share the pattern may hang, and people misread it.',
    'Take one of the repetitions away.',
  ),
  'message-leaks-secret': page(
    'A message, suggestion or audit value contains file content, tool output, input or environment.',
    'What the agent is told and what is recorded may then hold a secret. In `message_expr` and `suggest` it is an error.',
    'Name the path, the program or the kind instead.',
  ),
  'bidi-text': page(
    'The file holds characters that are invisible or reorder text.',
    'A reviewer sees another rule than the one that runs.',
    'Delete them.',
  ),
  'confusable-identifier': page(
    'A word mixes Latin letters with look-alikes of another script.',
    'It looks like a word that it is not, and so never matches.',
    'Type it anew.',
  ),
  'missing-owner': page(
    'Neither the rule nor its pack has an owner.',
    'Nobody can say whether an exception is fine.',
    'Add `owners` to the metadata.',
  ),
  'review-overdue': page(
    'The date in `review_by` has passed.',
    'The rule may no longer be wanted.',
    'Review it and move the date.',
  ),
  'waiver-expired': page('A waiver has ended.', 'It lifts nothing any more.', 'Delete it, or have it approved anew.'),
  'fallback-missing-for-agent': page(
    'A rule changes input or output and says nothing about agents that can not do that.',
    'For most agents it then does nothing.',
    'Add `fallback`, e.g. `[context]` after the call or `[deny]` before it.',
  ),
  'hidden-allow': page(
    'A rule lets calls pass that it was written to stop, or allows everything.',
    'With `on_dynamic: ignore` and `on_error: skip` an agent only has to make the condition unknowable; `allow` with a condition that is always true silences the agent’s own questions.',
    'Leave one of them at its default; narrow what is allowed.',
  ),
} as const satisfies Readonly<Record<string, CodePage>>;

export type LintCode = keyof typeof LINT_CODES;

/** Codes of `gov policy check`: files that can not be used. */
export const CHECK_CODES: Readonly<Record<string, CodePage>> = {
  'yaml-syntax': page(
    'The file is not YAML, or a document is no map.',
    'Nothing of it can be read.',
    'Correct the line; mind indentation and quotes.',
  ),
  'no-document': page(
    'The file is empty, or holds nothing but comments.',
    'It looks like a policy and is none.',
    'Delete it, or write a document: `gov policy new` gives a start. This is a warning; all else goes on.',
  ),
  'yaml-alias': page(
    'The file uses `&anchor` and `*alias`.',
    'Aliases can make a small file a very large one.',
    'Write the value out.',
  ),
  'unknown-kind': page(
    'A document has no kind, or one that gov does not know.',
    'gov can not tell what it is.',
    'Use PolicySet, Library, Rules, Overlay, Waivers or Tests.',
  ),
  'unknown-key': page(
    'A key is not part of the format.',
    'It would be ignored, and with it what its author meant.',
    'Correct the spelling; the finding names the nearest key.',
  ),
  'missing-key': page('A key is compulsory.', 'The document means nothing without it.', 'Add it.'),
  'wrong-type': page(
    'A value is of another type than the format says.',
    'It can not be used.',
    'Write it as the finding says.',
  ),
  'wrong-value': page('A value is none of those that are allowed.', 'It can not be used.', 'Use one of them.'),
  'duplicate-item': page(
    'A list names something twice.',
    'Mostly one of the two was meant to be something else.',
    'Delete one.',
  ),
  'duplicate-id': page(
    'Two rules have the same id.',
    'Records, waivers and grants name rules by their id.',
    'Rename one.',
  ),
  'duplicate-name': page(
    'Two packs, lists or macros of one layer have the same name.',
    'It is not clear which is meant.',
    'Rename one.',
  ),
  'conflicting-keys': page('Two keys exclude each other.', 'It is not clear which holds.', 'Keep one.'),
  'message-too-long': page(
    'A message has more than 400 characters.',
    'Agents and people read one line.',
    'Shorten it; put the rest in `remediation` or `references`.',
  ),
  'one-sided-test': page(
    'A rule is `status: stable` and its tests do not show both when it fires and when it is silent.',
    'Stable is a promise that others rely on.',
    'Add the missing case, or call it `experimental`.',
  ),
  'cel-syntax': page('A condition can not be parsed.', 'It can not be evaluated.', 'Correct it at the caret.'),
  'cel-type': page(
    'A condition combines values of unlike types, or is of another type than is needed.',
    'It would be an error on each call.',
    'Convert with `string(x)` or `int(x)`, or compare something else.',
  ),
  'cel-field': page(
    'A condition names a field, list or parameter that is not there.',
    'It would be an error on each call.',
    'Use one of those in the reference of the rule language.',
  ),
  'cel-name': page(
    'A condition names something that is not there.',
    'It would be an error on each call.',
    'In a rule with `each: command` the item is `command`, and so on.',
  ),
  'cel-regex': page(
    'A pattern is no RE2 regular expression.',
    'RE2 has no look-around and no back references; in exchange it never hangs.',
    'Write it without them.',
  ),
  'evidence-unknown-kind': page(
    'A condition asks for a kind of evidence that no Library declares.',
    'Nothing could ever establish it.',
    'Correct the name, or declare it under `evidence` in a Library.',
  ),
  'cel-unsupported': page(
    'A condition uses a part of CEL that is not in `cel/1`, or nests loops too deeply.',
    'gov evaluates conditions itself, in bounded time.',
    'Write it with what the reference lists.',
  ),
  'import-missing': page(
    'A policy set imports a file, a pack or a set that is not there.',
    'What it was to bring would be missing.',
    'Correct the name. A file of a layer lies in the directory of the layer; a built-in pack is `builtin:NAME`.',
  ),
  'import-outside': page(
    'A policy set imports a file from outside its directory.',
    'Whoever may write there could change the policy.',
    'Put the file beside or below the one that imports it.',
  ),
  'import-cycle': page(
    'Policy sets import each other.',
    'It is not clear which one builds on which.',
    'Take one of the imports out.',
  ),
  'needs-other-gov': page(
    'The file says in `requires` that it needs another version of gov.',
    'This one may not know what the file relies on, and would do less than it says.',
    'Update gov, or take another version of the file. Before 1.0.0, gov counts as 1.0.0.',
  ),
  'budget-without-rule': page(
    'A policy set has a budget that no rule keeps.',
    'Nothing would be counted.',
    'Take the pack `limits`, or leave the budget out.',
  ),
  'budget-not-narrower': page(
    'A budget is wider than the rule that keeps it.',
    'It would change nothing: a budget only narrows.',
    'Lower it.',
  ),
  'macro-cycle': page('A macro calls itself, directly or through others.', 'It would never end.', 'Take the call out.'),
  'overlay-not-permitted': page(
    'A lower layer changes what an upper one did not open, or loosens it.',
    'A checkout is untrusted input: it may make rules stricter, never milder.',
    'Take the entry out, or ask the owner of the pack. The file is ignored as a whole.',
  ),
  'overlay-unknown-target': page(
    'An overlay is about a pack that is not there.',
    'It changes nothing.',
    'Correct `target`, or check it together with the file that defines the pack.',
  ),
  'waiver-unknown-rule': page('A waiver is for a rule that is not there.', 'It lifts nothing.', 'Correct the id.'),
  'waiver-hard-rule': page(
    'A waiver is for a rule of level `hard`.',
    'Nothing lifts a hard rule.',
    'Ask its owner to change the rule.',
  ),
  'waiver-unknown-exception': page(
    'A waiver names an exception that its rule does not declare.',
    'The author of a rule decides what may be excepted.',
    'Use one of the exceptions of the rule.',
  ),
  'waiver-unknown-field': page(
    'A waiver gives a value for a field that the exception does not have.',
    'It would be compared with nothing.',
    'Use the fields of the exception.',
  ),
  'waiver-empty': page(
    'A row of a waiver has no fields.',
    'It would lift the rule everywhere.',
    'Say what is excepted.',
  ),
  'waiver-never-live': page('A waiver ends before it starts.', 'It is never live.', 'Correct its dates.'),
};

/** The pages of all codes, as one Markdown document. */
export function codesReference(): string {
  const section = (title: string, codes: Readonly<Record<string, CodePage>>): string[] => [
    `## ${title}`,
    '',
    ...Object.entries(codes).flatMap(([code, p]) => [
      `### ${code}`,
      '',
      `${p.found} ${p.why}`,
      '',
      `**Fix:** ${p.fix}`,
      '',
    ]),
  ];
  return [
    '# Findings in policy files',
    '',
    '<!-- Generated from src/rulebook/lint/codes.ts; a test compares the two. -->',
    '',
    ...section('Of `gov policy check`', CHECK_CODES),
    ...section('Of `gov policy lint`', LINT_CODES),
  ].join('\n');
}
