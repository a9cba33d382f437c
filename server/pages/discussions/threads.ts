import type { ResultOf } from '../../../schema/client/graphql.ts';
import { graphql } from '../../../schema/client/graphql.ts';
import type { Visit } from '../kernel/page.ts';
import { personFields } from '../kernel/people.ts';

export const awardFields = graphql(`
  fragment DiscussedAwards on AwardCount { name character count ownId }
`);

export type AwardCount = ResultOf<typeof awardFields>;

export const noteFields = graphql(
  `fragment DiscussedNote on Note {
    id body isSystem createdAt updatedAt canEdit canDelete canVote
    author { ...PersonFields } awardCounts { ...DiscussedAwards }
  }`,
  [personFields, awardFields],
);

/** The place of a note in a diff. */
interface Position {
  readonly newPath: string;
  readonly oldPath: string;
  readonly newLine: number | null;
  readonly oldLine: number | null;
}

export interface ShownNote extends Omit<ResultOf<typeof noteFields>, 'awardCounts'> {
  /** Null: it has no award emoji, as a comment on a commit. */
  readonly awardCounts: readonly AwardCount[] | null;
}

/** A single note, or a thread with its replies. */
export interface Thread {
  readonly key: string;
  /** Whether there can be replies. */
  readonly hasReplies: boolean;
  readonly isResolvable: boolean;
  readonly isResolved: boolean;
  readonly canResolve: boolean;
  readonly position: Position | null;
  readonly notes: readonly ShownNote[];
}

export interface Threads {
  readonly total: number;
  /** Of this page; none if they are too long to be read together. */
  readonly threads: readonly Thread[];
  readonly areTooLong?: boolean;
}

/** How the discussions of one kind of subject are read and changed. */
export interface DiscussionSource {
  list(visit: Visit, page: number): Promise<Threads>;
  /** How many threads there are. */
  count(visit: Visit): Promise<number>;
  /** A note by its id; throws if the user may not see it. */
  note(visit: Visit, id: number): Promise<ShownNote>;
  /** Creates a note; gives its id, or null if it became an award emoji. */
  comment(visit: Visit, body: string): Promise<number | null>;
  /** Starts a thread; gives the id of its first note. */
  startThread(visit: Visit, body: string): Promise<number>;
  reply(visit: Visit, key: string, body: string): Promise<number>;
  update(visit: Visit, id: number, body: string): Promise<void>;
  remove(visit: Visit, id: number): Promise<void>;
  resolve(visit: Visit, key: string, isResolved: boolean): Promise<void>;
}
