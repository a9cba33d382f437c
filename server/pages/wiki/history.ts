import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import { neighbours } from '../code/neighbours.ts';
import { addressIn } from '../frame/address-in.ts';
import { type Project, projectPage } from '../frame/project-head.ts';
import type { ProjectPage } from '../frame/sections.ts';
import { avatar } from '../kernel/avatar.ts';
import { type Html, html } from '../kernel/html.ts';
import { icon } from '../kernel/icons.ts';
import { entries, pageOf, perPage } from '../kernel/listing.ts';
import type { Visit } from '../kernel/page.ts';
import { notice } from '../kernel/parts.ts';
import { authorName, personFields } from '../kernel/people.ts';
import { when } from '../kernel/times.ts';

export const wikiVersionFields = graphql(
  `fragment WikiVersionFields on WikiPageVersion {
    sha title author { name at user { ...PersonFields } }
  }`,
  [personFields],
);

type Version = ResultOf<typeof wikiVersionFields>;

const historyDocument = graphql(
  `query WikiPageHistory($project: ID!, $slug: String!, $page: Int!, $perPage: Int!) {
    wikiPageHistory(project: $project, slug: $slug) {
      slug
      page { title }
      versions(page: $page, perPage: $perPage) {
        pageInfo { hasNextPage }
        nodes { ...WikiVersionFields }
      }
    }
  }`,
  [wikiVersionFields],
);

const renameDocument = graphql(`
  query RenamedWikiPage($project: ID!, $slug: String!, $sha: String!) {
    wikiPageVersion(project: $project, slug: $slug, sha: $sha) { formerSlug }
  }
`);

/** The versions of a page, `<slug>`; also of one that was deleted or renamed. */
export const showWikiHistory: ProjectPage = async (visit, project, rest) => {
  const page = pageOf(visit);
  const variables = { project: String(project.id), slug: rest, page, perPage };
  const { wikiPageHistory: history } = await visit.ask(historyDocument, variables);
  const { slug, versions } = history;
  const { hasNextPage: hasNext } = versions.pageInfo;
  const name = history.page?.title ?? slug;
  const rows = versions.nodes.map((version) => versionRow(visit, project, slug, version));
  const first = hasNext ? undefined : versions.nodes.at(-1);
  const main = html`<h1>History of ${
    history.page ? html`<a href="${addressIn(visit, project, 'wikis', slug)}">${name}</a>` : name
  }</h1>
${!history.page && notice('This page was deleted or renamed. Its versions remain.')}
${entries(rows, 'There are no versions.')}
${first && (await renameNote(visit, project, slug, first.sha))}
${neighbours({ address: addressIn(visit, project, 'wiki_history', slug), page, hasNext, query: {} })}`;
  return projectPage(visit, project, 'wikis', `History of ${name}`, main);
};

function versionRow(visit: Visit, project: Project, slug: string, version: Version): Html {
  const { sha, title } = version;
  const short = sha.slice(0, 8);
  const changes = addressIn(visit, project, 'wiki_changes', sha, slug);
  const shown = addressIn(visit, project, 'wiki_versions', sha, slug);
  return html`<div class="bar"><div class="commit-row">${versionAvatar(version)}
<div class="commit"><a href="${changes}">${title}</a>
${versionAuthor(visit, version)}</div></div>
<div class="row"><code>${short}</code>
<a class="button secondary small" href="${shown}" aria-label="View page at ${short}">${icon('eye')}View page</a></div></div>`;
}

export const versionAvatar = ({ author: { name, user } }: Version): Html =>
  avatar({ name, avatarUrl: user?.avatarUrl ?? null });

/** Who made the version, and when. */
export const versionAuthor = (visit: Visit, { author: { name, at, user } }: Version): Html =>
  html`<span class="quiet">${user ? html`<a href="${visit.url(`/${encodeURIComponent(user.username)}`)}">${authorName(name)}</a>` : authorName(name)} · ${when(at)}</span>`;

/** Leads to the history under the former name, which the first version may have changed. */
async function renameNote(visit: Visit, project: Project, slug: string, sha: string) {
  const variables = { project: String(project.id), slug, sha };
  const { formerSlug } = (await visit.ask(renameDocument, variables)).wikiPageVersion;
  if (formerSlug === null) return null;
  const address = addressIn(visit, project, 'wiki_history', formerSlug);
  return html`<p>Renamed from ${formerSlug}. <a href="${address}">Show the versions before</a></p>`;
}
