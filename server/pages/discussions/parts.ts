import { forbidden, pathNotFound } from '../../../schema/kernel/errors.ts';
import { projectPage } from '../frame/project-head.ts';
import { numberIn } from '../kernel/addresses.ts';
import { type Fault, orFault } from '../kernel/fault.ts';
import { faultText } from '../kernel/form-faults.ts';
import { otherFaults } from '../kernel/forms.ts';
import { type Html, html } from '../kernel/html.ts';
import type { Answer, Visit } from '../kernel/page.ts';
import { alert, confirmedForm } from '../kernel/parts.ts';
import { toggleAward } from './awards.ts';
import { textForm } from './comment-form.ts';
import { sourceOf } from './discussion.ts';
import { addressOf, type DiscussionPlace, discussionPage, threadsPerPage } from './place.ts';
import { changeState } from './state-event.ts';

/**
 * Shows the page at an address below that of a discussion, `rest`: `notes/5/edit`. Null if the
 * discussion has no such page.
 */
export async function showDiscussionPart(
  visit: Visit,
  place: DiscussionPlace,
  rest: string,
): Promise<Answer | null> {
  const [word, id = '', action] = rest.split('/');
  if (word !== 'notes' || action !== 'edit') return null;
  const note = await sourceOf(place.subject).note(visit, numberIn(id));
  if (!note.canEdit) throw forbidden();
  return editPage(visit, place, note);
}

/** Handles a form of a discussion; null if `rest` is no address of one. */
export async function submitToDiscussion(
  visit: Visit,
  place: DiscussionPlace,
  rest: string,
): Promise<Answer | null> {
  const [word, id = '', action = '', more] = rest.split('/');
  if (more !== undefined) return null;
  if (word === 'award' && id === '') return award(visit, place, null);
  if (word === 'notes' && id === '') return comment(visit, place);
  if (word === 'notes' && action === '') return update(visit, place, numberIn(id));
  if (word === 'notes' && action === 'delete') return remove(visit, place, numberIn(id));
  if (word === 'notes' && action === 'award') return award(visit, place, numberIn(id));
  if (word === 'discussions' && action === 'notes') return reply(visit, place, id);
  if (word === 'discussions' && action === 'resolve') return resolve(visit, place, id);
  return null;
}

async function comment(visit: Visit, place: DiscussionPlace): Promise<Answer> {
  const { body = '', kind, state_event: event } = visit.form;
  const source = sourceOf(place.subject);
  const work = async () => {
    // a form without a text only changes the state
    const id = event && body.trim() === '' ? null : await source[methodOf(kind)](visit, body);
    if (event) await changeState(visit, place.subject, event);
    const total = id === null ? 0 : await source.count(visit);
    return { redirect: addressOf(place, Math.ceil(total / threadsPerPage), id) };
  };
  return orFault(visit, work, (fault) =>
    textPage(visit, place, { title: 'Comment', address: `${place.address}/notes`, body, fault }),
  );
}

const methodOf = (kind: string | undefined) => (kind === 'thread' ? 'startThread' : 'comment');

async function reply(visit: Visit, place: DiscussionPlace, key: string): Promise<Answer> {
  const { body = '' } = visit.form;
  const address = `${place.address}/discussions/${key}/notes`;
  const work = async () => {
    const id = await sourceOf(place.subject).reply(visit, key, body);
    return { redirect: addressOf(place, discussionPage(visit), id) };
  };
  return orFault(visit, work, (fault) =>
    textPage(visit, place, { title: 'Reply', address, body, fault }),
  );
}

async function update(visit: Visit, place: DiscussionPlace, id: number): Promise<Answer> {
  const { body = '' } = visit.form;
  const work = async () => {
    await sourceOf(place.subject).update(visit, id, body);
    return { redirect: addressOf(place, discussionPage(visit), id) };
  };
  return orFault(visit, work, (fault) =>
    editPage(visit, place, { id, body, canDelete: false }, fault),
  );
}

async function remove(visit: Visit, place: DiscussionPlace, id: number): Promise<Answer> {
  await sourceOf(place.subject).remove(visit, id);
  return { redirect: addressOf(place, discussionPage(visit)) };
}

async function resolve(visit: Visit, place: DiscussionPlace, key: string): Promise<Answer> {
  await sourceOf(place.subject).resolve(visit, key, visit.form.resolved === '1');
  return { redirect: addressOf(place, discussionPage(visit)) };
}

async function award(visit: Visit, place: DiscussionPlace, id: number | null): Promise<Answer> {
  if ('commit' in place.subject) throw pathNotFound();
  await toggleAward(visit, place.subject, id);
  return { redirect: addressOf(place, discussionPage(visit), id) };
}

interface TextPage {
  readonly title: string;
  readonly address: string;
  readonly body: string;
  readonly fault?: Fault | undefined;
  readonly below?: Html | false;
}

/** A page with the form of one note. */
function textPage(visit: Visit, place: DiscussionPlace, page: TextPage): Answer {
  const { title, address, body, fault, below } = page;
  const back = addressOf(place, discussionPage(visit));
  const main = html`<h1>${title} on <a href="${back}">${place.name}</a></h1>
${fault && alert(fault.text ?? otherFaults(fault.fields, ['body']))}
${textForm(visit, place, {
  address,
  id: 'note',
  label: 'Text',
  body,
  rows: 12,
  fault: fault ? faultText(fault.fields, 'body', 'Text') : null,
  buttons: html`<button>${title === 'Comment' || title === 'Reply' ? title : 'Save comment'}</button> <a href="${back}">Cancel</a>`,
})}
${below}`;
  const shown = projectPage(visit, place.project, place.section, title, main);
  return fault ? { ...shown, status: fault.status } : shown;
}

interface Edited {
  readonly id: number;
  readonly body: string;
  readonly canDelete: boolean;
}

const editPage = (visit: Visit, place: DiscussionPlace, note: Edited, fault?: Fault): Answer => {
  const address = `${place.address}/notes/${note.id}`;
  const below =
    note.canDelete &&
    confirmedForm(
      visit,
      { address: `${address}/delete`, label: 'Delete comment' },
      'The comment is deleted for all users. This cannot be undone.',
    );
  return textPage(visit, place, { title: 'Edit comment', address, body: note.body, fault, below });
};
