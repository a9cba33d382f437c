import { graphql } from '../../../schema/client/graphql.ts';
import { type Html, html } from '../html.ts';
import type { Visit } from '../page.ts';
import { textLinking } from './linking.ts';
import { pageOf, pager, perPage, when } from './listing.ts';
import { texts } from './markdown.ts';
import { person, personFields } from './people.ts';
import type { Project } from './project-head.ts';

const notes = graphql(
  `query BrowsedNotes($noteable: NoteableInput!, $page: Int!, $perPage: Int!) {
    notes(noteable: $noteable, sort: asc, page: $page, perPage: $perPage) {
      total nodes { id body isSystem createdAt author { ...PersonFields } }
    }
  }`,
  [personFields],
);

type Noteable =
  | { readonly issue: { readonly project: string; readonly iid: number } }
  | { readonly mergeRequest: { readonly project: string; readonly iid: number } }
  | { readonly snippet: { readonly project: string; readonly id: number } };

/** What was said of something, the oldest first. */
export async function notesOn(
  visit: Visit,
  project: Project,
  noteable: Noteable,
  address: string,
): Promise<Html> {
  const page = pageOf(visit);
  const { total, nodes } = (await visit.ask(notes, { noteable, page, perPage })).notes;
  const shown = texts(textLinking(visit, project));
  return html`<section aria-labelledby="notes"><h2 id="notes">Discussion</h2>
${total === 0 && html`<p class="quiet">Nobody has said anything yet.</p>`}
${nodes.map(
  ({ id, body, isSystem, createdAt, author }) =>
    html`<article class="${isSystem ? 'note system' : 'note'}" id="note_${id}">
<p class="quiet">${person(visit, author)} · ${when(createdAt)}</p>
${shown(body)}</article>`,
)}
${pager({ address, page, total })}</section>`;
}
