import type { DiscussionPlace } from '../discussions/place.ts';
import type { Visit } from '../kernel/page.ts';

/** The commits that positions name. */
export interface DiffRefs {
  readonly baseSha: string;
  readonly startSha: string;
  readonly headSha: string;
}

/** A place in a diff, as the core takes it. */
export interface LinePosition extends DiffRefs {
  readonly type: 'text';
  readonly oldPath: string;
  readonly newPath: string;
  readonly oldLine: number | null;
  readonly newLine: number | null;
}

/** How comments on the lines of some changes are read and written. */
export interface LineSource {
  /** The discussion; its address is the page of the changes. */
  readonly place: DiscussionPlace;
  readonly refs: DiffRefs;
  readonly canComment: boolean;
  /** Starts a thread; gives the id of its first note. */
  start(visit: Visit, body: string, position: LinePosition): Promise<number>;
  /** The commits of positions by the keys of a page's discussions; null if all are these. */
  commitsOn(
    visit: Visit,
    page: number,
  ): Promise<ReadonlyMap<string, Pick<DiffRefs, 'baseSha' | 'headSha'>> | null>;
}
