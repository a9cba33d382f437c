import { type Html, html } from '../kernel/html.ts';
import { icon } from '../kernel/icons.ts';
import type { Visit } from '../kernel/page.ts';
import { actionForm } from '../kernel/parts.ts';
import { person } from '../kernel/people.ts';
import { when } from '../kernel/times.ts';
import { awards } from './awards.ts';
import { textForm } from './comment-form.ts';
import { type DiscussionPlace, discussionPage } from './place.ts';
import { systemNote } from './system-note.ts';
import type { ShownNote, Thread } from './threads.ts';

interface Shown {
  readonly place: DiscussionPlace;
  readonly canComment: boolean;
  /** The rendered texts by the ids of their notes. */
  readonly texts: ReadonlyMap<number, Html>;
}

const textOf = ({ id }: ShownNote, texts: ReadonlyMap<number, Html>) => texts.get(id) ?? html``;

/** A single note, or a thread with its replies and the form for another one. */
export function threadMarkup(visit: Visit, thread: Thread, shown: Shown): Html {
  const [first] = thread.notes;
  if (!first) return html``;
  if (first.isSystem) return systemNote(visit, first, textOf(first, shown.texts));
  const notes = thread.notes.map((note) => noteMarkup(visit, note, shown));
  if (!thread.hasReplies) return html`${notes}`;
  const body = html`${notes}
${shown.canComment && replyForm(visit, thread, shown.place)}`;
  return html`<section class="thread" aria-label="Thread">
${threadHead(visit, thread, shown.place)}
${
  thread.isResolved
    ? html`<details><summary>${notes.length === 1 ? '1 comment' : `${notes.length} comments`}</summary>${body}</details>`
    : body
}</section>`;
}

/** Where the thread is written, and whether it is resolved; nothing if there is nothing to say. */
function threadHead(visit: Visit, thread: Thread, place: DiscussionPlace): Html | null {
  const { key, isResolved, isResolvable, canResolve, position } = thread;
  if (!isResolvable && !position) return null;
  const line = position && (position.newLine ?? position.oldLine);
  const page = discussionPage(visit);
  return html`<div class="bar"><span class="row">${
    position && html`<code>${position.newPath}${line !== null && `:${line}`}</code>`
  }${isResolved && html`<span class="badge success">${icon('check')}resolved</span>`}</span>
${
  canResolve &&
  actionForm(visit, {
    address: `${place.address}/discussions/${key}/resolve`,
    label: isResolved ? 'Reopen thread' : 'Resolve thread',
    icon: isResolved ? 'history' : 'check',
    look: 'small',
    fields: html`<input type="hidden" name="resolved" value="${isResolved ? 0 : 1}">${
      page > 1 && html`<input type="hidden" name="page" value="${page}">`
    }`,
  })
}</div>`;
}

function noteMarkup(visit: Visit, note: ShownNote, { place, texts }: Shown): Html {
  const { id, author, createdAt, updatedAt, canEdit, awardCounts, canVote } = note;
  const page = discussionPage(visit);
  const isEdited = Date.parse(updatedAt) - Date.parse(createdAt) >= 1000;
  const address = `${place.address}/notes/${id}`;
  return html`<article class="note" id="note_${id}">
<div class="note-head bar"><span>${person(visit, author)} <a class="quiet" href="#note_${id}">${when(createdAt)}</a>${
    isEdited && html` <span class="quiet">· edited ${when(updatedAt)}</span>`
  }</span>${
    canEdit &&
    html`<a class="quiet" href="${address}/edit${page > 1 && `?page=${page}`}" aria-label="Edit the comment">${icon('pencil')}Edit</a>`
  }</div>
${textOf(note, texts)}
${awardCounts && awards(visit, { awardCounts, canVote }, `${address}/award`, page)}
</article>`;
}

const replyForm = (visit: Visit, { key }: Thread, place: DiscussionPlace): Html =>
  html`<details class="reply"><summary>Reply</summary>
${textForm(visit, place, {
  address: `${place.address}/discussions/${key}/notes`,
  id: `reply-${key}`,
  label: 'Write a reply',
  rows: 3,
  buttons: html`<button>Reply</button>`,
})}</details>`;
