type Topic =
  | 'job'
  | 'trace'
  | 'pipeline'
  | 'merge_request'
  | 'issue_notes'
  | 'merge_request_notes'
  | 'snippet_notes';

/** A kind of news and the id of the record, such as `pipeline 7`; `trace` has the id of the job. */
export type RecordTopic = `${Topic} ${number}`;

/** The changes since the previous ones. */
export interface RecordChanges {
  /** The changed notes, for topics of notes. */
  readonly noteIds: readonly number[];
  /** Notifications may be missing: the connection was lost, or there were too many changes. */
  readonly isIncomplete: boolean;
}

/**
 * Changes of records, from all processes on the database. They carry ids only: a subscriber reads
 * the record again, with its own permissions.
 */
export interface RecordNews {
  /**
   * Yields after committed changes of the topics. Changes in quick succession are combined. Changes
   * before it resolves are visible then; it listens until `signal` is aborted.
   */
  changes(
    topics: readonly RecordTopic[],
    signal: AbortSignal,
  ): Promise<AsyncIterable<RecordChanges>>;
  /** Announces that the trace of a job has grown; combined with others, so that bursts are cheap. */
  announceTrace(jobId: number): void;
}
