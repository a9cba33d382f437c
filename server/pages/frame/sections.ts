import type { Answer, Visit } from '../kernel/page.ts';
import type { Group } from './group-head.ts';
import type { Project } from './project-head.ts';

/** Responds below the address of `Owner`; `rest` is the path after the section's word. */
type Responder<Owner> = (visit: Visit, owner: Owner, rest: string) => Promise<Answer> | Answer;

/** The pages below one word after the address of a project or group: `/acme/app/issues/1/edit`. */
interface Section<Owner> {
  readonly word: string;
  /** Whether it has the page at the path after its word; default: always. The first one counts. */
  readonly owns?: (rest: string) => boolean;
  /** Shows files that change without the database, such as traces of jobs. */
  readonly isLive?: boolean;
  /** Shows the page at an address. */
  readonly show?: Responder<Owner>;
  /** Handles the forms that are sent to an address, of signed-in users only. */
  readonly submit?: Responder<Owner>;
}

export type ProjectPage = Responder<Project>;
export type ProjectSection = Section<Project>;
export type GroupPage = Responder<Group>;
export type GroupSection = Section<Group>;
