import { refusal } from '../../../schema/client/execute.ts';
import { type Html, html } from '../kernel/html.ts';
import { pager } from '../kernel/listing.ts';
import type { Visit } from '../kernel/page.ts';
import { signInAddress } from '../kernel/return-to.ts';
import { textLinking } from '../markdown/linking.ts';
import { markdowns } from '../markdown/markdown.ts';
import { commentForm, type StateEvent } from './comment-form.ts';
import { commentsOn } from './commit-source.ts';
import { notesOn } from './note-source.ts';
import { type DiscussionPlace, discussionPage, type Subject, threadsPerPage } from './place.ts';
import { textsOf } from './system-note.ts';
import { threadMarkup } from './thread.ts';
import type { DiscussionSource, Thread, Threads } from './threads.ts';

/** How the discussion of a subject is read and changed. */
export function sourceOf(subject: Subject): DiscussionSource {
  const source = 'commit' in subject ? commentsOn(subject.commit) : notesOn(subject);
  return { ...source, list: (visit, page) => listShort(source, visit, page) };
}

/** A few very long comments must not hide the page that they are on. */
async function listShort(source: DiscussionSource, visit: Visit, page: number): Promise<Threads> {
  try {
    return await source.list(visit, page);
  } catch (error) {
    if (refusal(error)?.reason !== 'too-costly') throw error;
    return { total: await source.count(visit), threads: [], areTooLong: true };
  }
}

/** What the discussion says in place of comments. */
export const noThreads = ({ total, areTooLong }: Threads): Html =>
  html`${total === 0 && html`<p class="quiet">There are no comments yet.</p>`}
${areTooLong && html`<p class="notice">The comments are too long to be shown together. The REST API lists them one by one, with <code>per_page=1</code>.</p>`}`;

interface Discussion {
  /** Whether the user may comment: `canComment` of the core. */
  readonly canComment: boolean;
  /** Lets a comment close or reopen the subject; null if the user may not. */
  readonly stateEvent?: StateEvent | null;
}

/**
 * The discussion of an issue, merge request, snippet or commit with its forms, for the page at
 * `place.address`. The section of that page passes addresses below to `showDiscussionPart` and
 * `submitToDiscussion` (parts.ts).
 */
export async function discussionOf(
  visit: Visit,
  place: DiscussionPlace,
  { canComment, stateEvent = null }: Discussion,
): Promise<Html> {
  if (!visit.viewer) return signInFirst(visit);
  const page = discussionPage(visit);
  const listed = await sourceOf(place.subject).list(visit, page);
  const shown = await threadsMarkup(visit, place, listed.threads, canComment);
  return html`<section class="discussion" aria-labelledby="notes"><h2 id="notes">Discussion</h2>
${noThreads(listed)}
${shown}
${pager({ address: place.address, page, total: listed.total, size: threadsPerPage })}
${commentForm(visit, place, { canComment, stateEvent })}</section>`;
}

/** Threads as the discussion shows them, for pages that show some of them elsewhere. */
export async function threadsMarkup(
  visit: Visit,
  place: DiscussionPlace,
  threads: readonly Thread[],
  canComment: boolean,
): Promise<readonly Html[]> {
  const notes = threads.flatMap((thread) => thread.notes);
  const sources = await textsOf(visit, place, threads);
  const rendered = await markdowns(visit, sources, textLinking(visit, place.project));
  const texts = new Map(notes.map(({ id }, index) => [id, rendered[index] ?? html``]));
  return threads.map((thread) => threadMarkup(visit, thread, { place, canComment, texts }));
}

/** Like the API, the page shows the notes to signed-in users only. */
const signInFirst = (visit: Visit): Html =>
  html`<section aria-labelledby="notes"><h2 id="notes">Discussion</h2>
<p class="quiet"><a href="${signInAddress(visit)}">Sign in</a> to read the discussion.</p></section>`;
