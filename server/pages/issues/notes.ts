import { graphql } from '../../../schema/client/graphql.ts';
import type { Project } from '../frame/project-head.ts';
import { type Html, html } from '../kernel/html.ts';
import { pageOf, pager, perPage } from '../kernel/listing.ts';
import type { Visit } from '../kernel/page.ts';
import { person, personFields } from '../kernel/people.ts';
import { signInAddress } from '../kernel/return-to.ts';
import { when } from '../kernel/times.ts';
import { textLinking } from '../markdown/linking.ts';
import { markdowns } from '../markdown/markdown.ts';

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

const signInFirst = (visit: Visit): Html =>
  html`<section aria-labelledby="notes"><h2 id="notes">Discussion</h2>
<p class="quiet"><a href="${signInAddress(visit)}">Sign in</a> to read the discussion.</p></section>`;

/** The notes on an item, oldest first. Like the API, the page shows them to signed-in users only. */
export async function notesOn(
  visit: Visit,
  project: Project,
  noteable: Noteable,
  address: string,
): Promise<Html> {
  if (!visit.viewer) return signInFirst(visit);
  const page = pageOf(visit);
  const { total, nodes } = (await visit.ask(notes, { noteable, page, perPage })).notes;
  const bodies = nodes.map(({ body }) => body);
  const shown = await markdowns(visit, bodies, textLinking(visit, project));
  return html`<section aria-labelledby="notes"><h2 id="notes">Discussion</h2>
${total === 0 && html`<p class="quiet">There are no comments yet.</p>`}
${nodes.map(
  ({ id, isSystem, createdAt, author }, place) =>
    html`<article class="${isSystem ? 'note system' : 'note'}" id="note_${id}">
<p class="quiet">${person(visit, author)} · ${when(createdAt)}</p>
${shown[place]}</article>`,
)}
${pager({ address, page, total })}</section>`;
}
