import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import { addressIn } from '../frame/address-in.ts';
import { type Html, html } from '../kernel/html.ts';
import { authorName, person, personFields } from '../kernel/people.ts';
import { when } from '../kernel/times.ts';
import { excerpt, highlighted } from './highlight.ts';
import type { RowContext } from './scope.ts';

export const foundFile = graphql(`fragment FoundFile on FileMatch { ref path firstLine text }`);

export const foundCommit = graphql(
  `fragment FoundCommit on Commit { id title author { name at } }`,
);

export const foundNote = graphql(
  `fragment FoundNote on Note {
    id body createdAt noteableType noteableId noteableIid author { ...PersonFields }
  }`,
  [personFields],
);

/** An address in the searched project. */
const inProject = ({ visit, project }: RowContext, ...parts: readonly string[]): string =>
  project ? addressIn(visit, project, ...parts) : '';

/** Characters of a line; the rest of longer ones is left out. */
const longestLine = 300;

/** The lines around a hit; with an address of the file, their numbers are links. */
function linesOf({ search }: RowContext, file: ResultOf<typeof foundFile>, address: string | null) {
  const lines = file.text.replace(/\n$/, '').split('\n');
  return html`<pre class="numbered" tabindex="0" aria-label="${file.path}"><code>${lines.map(
    (line, place) => {
      const number = file.firstLine + place;
      const mark = address === null ? number : html`<a href="${address}#L${number}">${number}</a>`;
      return html`<span>${mark}${address === null && ' '}${excerpt(line, search, longestLine)}
</span>`;
    },
  )}</code></pre>`;
}

export function fileRow(context: RowContext, file: ResultOf<typeof foundFile>): Html {
  const address = inProject(context, 'blob', file.ref, file.path);
  return html`<a class="name" href="${address}#L${file.firstLine}">${highlighted(file.path, context.search)}</a>
${linesOf(context, file, address)}`;
}

/** The slug of a wiki page: its path with dashes for spaces, without extension. */
const slugOf = (path: string): string => path.replace(/\.[^./]+$/, '').replaceAll(' ', '-');

export function wikiRow(context: RowContext, file: ResultOf<typeof foundFile>): Html {
  const slug = slugOf(file.path);
  return html`<a class="name" href="${inProject(context, 'wikis', slug)}">${highlighted(slug, context.search)}</a>
${linesOf(context, file, null)}`;
}

export const commitRow = (context: RowContext, commit: ResultOf<typeof foundCommit>): Html =>
  html`<a class="name" href="${inProject(context, 'commit', commit.id)}">${highlighted(commit.title, context.search)}</a>
<span class="quiet">${authorName(commit.author.name)} · ${when(commit.author.at)} · <code>${commit.id.slice(0, 8)}</code></span>`;

/** The words of the addresses of noteables, and how their numbers are written. */
const noteables: Readonly<Record<string, readonly [word: string, sign: string]>> = {
  Issue: ['issues', '#'],
  MergeRequest: ['merge_requests', '!'],
  Snippet: ['snippets', '$'],
};

export function noteRow(context: RowContext, note: ResultOf<typeof foundNote>): Html {
  const { id, body, createdAt, noteableType, noteableId, noteableIid, author } = note;
  const [word, sign] = noteables[noteableType] ?? ['', ''];
  const number = String(noteableIid ?? noteableId);
  return html`<a class="name" href="${inProject(context, word, number)}#note_${id}">Comment on ${sign}${number}</a>
<span>${excerpt(body, context.search)}</span>
<span class="quiet">${person(context.visit, author)} · ${when(createdAt)}</span>`;
}
