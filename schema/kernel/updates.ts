import type { RecordChanges, RecordTopic } from '../ports/record-news.ts';
import type { Context } from './context.ts';

type Parts = Pick<Context, 'recordNews' | 'request'>;

/** The changes of some records from now on, until the subscription of this context ends. */
export async function changesOf(
  topics: readonly RecordTopic[],
  { recordNews, request: { signal } }: Parts,
): Promise<AsyncIterable<RecordChanges>> {
  if (!signal) throw new Error('A subscription needs a signal that ends it.');
  return recordNews.changes(topics, signal);
}

/**
 * The events of a subscription to records: `event` at once, for the current state, and after each
 * change. It listens before the first event is resolved, so that no change is missed.
 */
export async function updatesOf<Event>(
  topics: readonly RecordTopic[],
  event: Event,
  parts: Parts,
): Promise<AsyncIterable<Event>> {
  return repeated(event, await changesOf(topics, parts));
}

async function* repeated<Event>(event: Event, changes: AsyncIterable<unknown>) {
  yield event;
  for await (const _change of changes) yield event;
}
