import type { Output } from '../agents/agent.ts';
import { GrantGone } from '../audit/write/grants.ts';
import type { Appended, Writer } from '../audit/write/writer.ts';
import { takingUses } from '../grants/in-force.ts';
import type { Story, Wanted } from '../hook/handle.ts';

/** One call among several. */
export interface Running<T> {
  readonly of: T;
  readonly story: Story;
  /** What it waits for. */
  readonly wanted: Wanted;
}

/**
 * Makes the records of several calls durable in one commit and lets their stories go on, until each has its answer.
 * `answer` is called after the commit that it rests on. Throws if that can't be done now: who is not answered by then
 * has no record either.
 */
export function finishAll<T>(
  running: readonly Running<T>[],
  writer: Writer,
  answer: (of: T, output: Output) => void,
): void {
  let open = running;
  while (open.length > 0) {
    const done = writer.appendAll(
      open.map(({ wanted: { draft, takes } }) =>
        takes.length === 0 ? { draft } : { draft, within: takingUses(takes, draft.call.session, Date.now) },
      ),
    );
    open = open.flatMap((one, i) => {
      const step = goOn(one.story, done[i] as Appended | GrantGone);
      if (!step.done) return [{ ...one, wanted: step.value }];
      answer(one.of, step.value);
      return [];
    });
  }
}

/** A use that another call took meanwhile makes the story judge once more. */
function goOn(story: Story, done: Appended | GrantGone): IteratorResult<Wanted, Output> {
  return done instanceof GrantGone ? story.throw(done) : story.next(done);
}
