import type { Project } from '../frame/project-head.ts';
import type { Visit } from '../kernel/page.ts';

/** What users discuss, as the core identifies it. */
export type Subject =
  | { readonly issue: { readonly project: string; readonly iid: number } }
  | { readonly mergeRequest: { readonly project: string; readonly iid: number } }
  | { readonly snippet: { readonly project: string; readonly id: number } }
  | { readonly commit: { readonly project: string; readonly sha: string } };

/** What notes and award emoji are written on: all but commits, which have comments of their own. */
export type Noteable = Exclude<Subject, { readonly commit: unknown }>;

/** A discussion and its place among the pages. */
export interface DiscussionPlace {
  readonly subject: Subject;
  readonly project: Project;
  /** The page with the discussion. Forms are sent to addresses below it, and return to it. */
  readonly address: string;
  /** The current tab of the project. */
  readonly section: string;
  /** The subject in a heading, such as `#12`. */
  readonly name: string;
}

/** The discussions on a page. */
export const threadsPerPage = 50;

/** The page of the discussion that a form was sent from, or that is shown. */
export function discussionPage({ form, query }: Visit): number {
  const text = form.page ?? query.page ?? '1';
  return /^[1-9]\d{0,6}$/.test(text) ? Number(text) : 1;
}

/** The address of a page of the discussion, at a note. */
export function addressOf(
  { address }: DiscussionPlace,
  page: number,
  noteId: number | null = null,
): string {
  const anchor = noteId === null ? '' : `#note_${noteId}`;
  return `${address}${page > 1 ? `?page=${page}` : ''}${anchor}`;
}
