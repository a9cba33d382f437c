import { rawResponse } from '../../../rest-facade/kernel/raw.ts';
import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import { isMarkdown } from '../code/content.ts';
import { numberedText } from '../code/numbered.ts';
import { discussionOf } from '../discussions/discussion.ts';
import { type Html, html } from '../kernel/html.ts';
import { icon } from '../kernel/icons.ts';
import type { Answer, Visit } from '../kernel/page.ts';
import { confirmedForm, visibilityMark } from '../kernel/parts.ts';
import { person, personFields } from '../kernel/people.ts';
import { when } from '../kernel/times.ts';
import { markdown } from '../markdown/markdown.ts';
import { discussionPlace, type SnippetHome } from './home.ts';

const snippetFields = graphql(
  `fragment BrowsedSnippetFields on Snippet {
    id title description fileName content visibility createdAt canUpdate canComment
    author { ...PersonFields }
  }`,
  [personFields],
);

type Snippet = ResultOf<typeof snippetFields>;

const snippetDocument = graphql(
  `query BrowsedSnippet($project: ID, $id: Int!) {
    snippet(project: $project, id: $id) { ...BrowsedSnippetFields }
  }`,
  [snippetFields],
);

/** A snippet that the user may see. */
export async function readSnippet(visit: Visit, home: SnippetHome, id: number): Promise<Snippet> {
  return (await visit.ask(snippetDocument, { project: home.id, id })).snippet;
}

/** A snippet with its text, and in a project with its notes. */
export async function showSnippet(visit: Visit, home: SnippetHome, id: number): Promise<Answer> {
  const snippet = await readSnippet(visit, home, id);
  const address = `${home.address}/${id}`;
  const { project } = home;
  const main = html`${await bodyOf(visit, snippet, { ...home, address })}
${project && (await discussionOf(visit, discussionPlace(visit, project, id), snippet))}`;
  return home.page(snippet.title, main);
}

/** The text of a snippet alone. */
export async function sendSnippet(visit: Visit, home: SnippetHome, id: number): Promise<Answer> {
  const { content, fileName } = await readSnippet(visit, home, id);
  const body = Buffer.from(content);
  return rawResponse(body, { name: fileName, size: body.length });
}

async function bodyOf(
  visit: Visit,
  snippet: Snippet,
  { address, linking }: Pick<SnippetHome, 'address' | 'linking'>,
): Promise<Html> {
  const { title, description, fileName, content, visibility, author, createdAt } = snippet;
  const text = isMarkdown(fileName)
    ? await markdown(visit, content, linking)
    : await numberedText(visit, fileName, content);
  return html`<div class="bar"><h1>${title}</h1>${snippet.canUpdate && actionsOf(visit, snippet, address)}</div>
<p class="quiet">${visibilityMark(visibility)} ${person(visit, author)} · ${when(createdAt)}</p>
${description && (await markdown(visit, description, linking))}
<p class="actions"><code>${fileName}</code> <a href="${address}/raw">Raw</a></p>
${text ?? html`<p class="quiet">This snippet has too many lines to show.</p>`}`;
}

const actionsOf = (visit: Visit, { title }: Snippet, address: string): Html =>
  html`<div class="row"><a class="button secondary small" href="${address}/edit">${icon('pencil')}Edit</a>
${confirmedForm(
  visit,
  { address: `${address}/delete`, label: 'Delete', about: title },
  'The snippet and its comments are deleted.',
)}</div>`;
