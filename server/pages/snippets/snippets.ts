import { rawResponse } from '../../../rest-facade/kernel/raw.ts';
import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import { pathNotFound } from '../../../schema/kernel/errors.ts';
import type { Linking } from '../../../schema/markdown/linking.ts';
import { isMarkdown } from '../code/content.ts';
import { numberedText } from '../code/numbered.ts';
import { discussionOf } from '../discussions/discussion.ts';
import { showDiscussionPart, submitToDiscussion } from '../discussions/parts.ts';
import type { DiscussionPlace } from '../discussions/place.ts';
import { addressIn } from '../frame/address-in.ts';
import { type Project, projectPage } from '../frame/project-head.ts';
import type { ProjectPage } from '../frame/sections.ts';
import { numberIn, splitFirst } from '../kernel/addresses.ts';
import { type Html, html } from '../kernel/html.ts';
import { entries, pageOf, pager, perPage } from '../kernel/listing.ts';
import type { Answer, Visit } from '../kernel/page.ts';
import { person, personFields } from '../kernel/people.ts';
import { when } from '../kernel/times.ts';
import { ownLinking, textLinking } from '../markdown/linking.ts';
import { markdown } from '../markdown/markdown.ts';

const snippetFields = graphql(
  `fragment BrowsedSnippetFields on Snippet {
    id title description fileName content visibility createdAt canComment author { ...PersonFields }
  }`,
  [personFields],
);

type Snippet = ResultOf<typeof snippetFields>;

const list = graphql(
  `query BrowsedSnippets($project: ID!, $page: Int!, $perPage: Int!) {
    projectSnippets(project: $project, page: $page, perPage: $perPage) {
      total nodes { id title fileName visibility createdAt author { ...PersonFields } }
    }
  }`,
  [personFields],
);

const snippetDocument = graphql(
  `query BrowsedSnippet($project: ID, $id: Int!) {
    snippet(project: $project, id: $id) { ...BrowsedSnippetFields }
  }`,
  [snippetFields],
);

/** The snippets of a project, or one by its id, with `raw` below it. */
export const showSnippets: ProjectPage = async (visit, project, rest) => {
  if (rest === '') return showList(visit, project);
  const [id, part] = splitFirst(rest);
  const place = placeOf(visit, project, numberIn(id));
  const shown = await showDiscussionPart(visit, place, part);
  if (shown) return shown;
  const variables = { project: String(project.id), id: numberIn(id) };
  const { snippet } = await visit.ask(snippetDocument, variables);
  if (part !== '') return sendSnippet(snippet, part);
  const address = addressIn(visit, project, 'snippets', id);
  const main = html`${await bodyOf(visit, snippet, { address, linking: textLinking(visit, project) })}
${await discussionOf(visit, place, snippet)}`;
  return projectPage(visit, project, 'snippets', snippet.title, main);
};

/** Handles the forms of a snippet of a project. */
export const submitToSnippets: ProjectPage = async (visit, project, rest) => {
  const [id, part] = splitFirst(rest);
  const answer = await submitToDiscussion(visit, placeOf(visit, project, numberIn(id)), part);
  if (!answer) throw pathNotFound();
  return answer;
};

const placeOf = (visit: Visit, project: Project, id: number): DiscussionPlace => ({
  subject: { snippet: { project: String(project.id), id } },
  project,
  address: addressIn(visit, project, 'snippets', String(id)),
  section: 'snippets',
  name: `$${id}`,
});

/** A personal snippet: `<id>` or `<id>/raw`. */
export async function showPersonalSnippet(visit: Visit, path: string): Promise<Answer> {
  const [id, part] = splitFirst(path);
  const { snippet } = await visit.ask(snippetDocument, { id: numberIn(id) });
  if (part !== '') return sendSnippet(snippet, part);
  const address = visit.url(`/snippets/${id}`);
  return {
    title: snippet.title,
    main: await bodyOf(visit, snippet, { address, linking: ownLinking(visit) }),
  };
}

interface Place {
  readonly address: string;
  readonly linking: Linking;
}

async function bodyOf(visit: Visit, snippet: Snippet, { address, linking }: Place): Promise<Html> {
  const { title, description, fileName, content, visibility, author, createdAt } = snippet;
  const text = isMarkdown(fileName)
    ? await markdown(visit, content, linking)
    : await numberedText(visit, fileName, content);
  return html`<h1>${title} <span class="badge">${visibility}</span></h1>
<p class="quiet">${person(visit, author)} · ${when(createdAt)}</p>
${description && (await markdown(visit, description, linking))}
<p class="actions"><code>${fileName}</code> <a href="${address}/raw">Raw</a></p>
${text ?? html`<p class="quiet">This snippet has too many lines to show.</p>`}`;
}

async function sendSnippet(snippet: Snippet, part: string): Promise<Answer> {
  if (part !== 'raw') throw pathNotFound();
  const content = Buffer.from(snippet.content);
  return rawResponse(content, { name: snippet.fileName, size: content.length });
}

async function showList(visit: Visit, project: Project): Promise<Answer> {
  const page = pageOf(visit);
  const variables = { project: String(project.id), page, perPage };
  const { total, nodes } = (await visit.ask(list, variables)).projectSnippets;
  const rows = nodes.map(
    ({
      id,
      title,
      fileName,
      visibility,
      createdAt,
      author,
    }) => html`<a class="name" href="${addressIn(visit, project, 'snippets', String(id))}">${title}</a> <span class="badge">${visibility}</span>
<span class="quiet">${fileName} · ${person(visit, author)} · ${when(createdAt)}</span>`,
  );
  const main = html`<h1>Snippets</h1>
${entries(rows, 'There are no snippets.')}
${pager({ address: addressIn(visit, project, 'snippets'), page, total })}`;
  return projectPage(visit, project, 'snippets', 'Snippets', main);
}
