import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import { changes, changesFragment } from '../diffs/changes.ts';
import { type Compared, isParallel } from '../diffs/compared.ts';
import { diffFields } from '../diffs/fields.ts';
import { addressIn } from '../frame/address-in.ts';
import { type Project, projectPage } from '../frame/project-head.ts';
import type { ProjectPage } from '../frame/sections.ts';
import { splitFirst } from '../kernel/addresses.ts';
import { type Html, html } from '../kernel/html.ts';
import { icon } from '../kernel/icons.ts';
import type { Visit } from '../kernel/page.ts';
import { emptyState, notice } from '../kernel/parts.ts';
import { when } from '../kernel/times.ts';
import { wikiAccess } from './access.ts';
import { versionAuthor, versionAvatar, wikiVersionFields } from './history.ts';
import { textOf } from './wiki.ts';

const versionDocument = graphql(
  `query WikiPageVersion($project: ID!, $slug: String!, $sha: String!) {
    wikiPageVersion(project: $project, slug: $slug, sha: $sha) {
      ...WikiVersionFields slug
      page { slug title format content }
      newestPage { slug }
    }
  }`,
  [wikiVersionFields],
);

const changeDocument = graphql(
  `query WikiPageChange($project: ID!, $slug: String!, $sha: String!) {
    wikiPageVersion(project: $project, slug: $slug, sha: $sha) {
      ...WikiVersionFields slug
      page { title }
      change { ...BrowsedDiffFields }
    }
  }`,
  [wikiVersionFields, diffFields],
);

const variablesOf = (project: Project, rest: string) => {
  const [sha, slug] = splitFirst(rest);
  return { project: String(project.id), sha, slug };
};

/** A page as of a commit of the wiki: `<sha>/<slug>`. */
export const showWikiVersion: ProjectPage = async (visit, project, rest) => {
  const variables = variablesOf(project, rest);
  const { wikiPageVersion: version } = await visit.ask(versionDocument, variables);
  const { sha, slug, page, newestPage } = version;
  const name = page?.title ?? slug;
  const newest = addressIn(visit, project, 'wikis', slug);
  const isRestorable = page !== null && (await wikiAccess(visit, project)).canWriteWiki;
  const restore = newestPage
    ? `${newest}/edit?${new URLSearchParams({ version: sha })}`
    : `${addressIn(visit, project, 'wikis', 'new')}?${new URLSearchParams({ title: slug, version: sha })}`;
  const links = html`<a class="button secondary small" href="${addressIn(visit, project, 'wiki_changes', sha, slug)}">${icon('diff')}Changes</a>${
    isRestorable &&
    html` <a class="button secondary small" href="${restore}">${icon('history')}Restore this version</a>`
  }`;
  const main = html`${versionHead(visit, project, { name, version, links })}
${notice(
  newestPage
    ? html`This version was saved ${when(version.author.at)}. <a href="${newest}">Show the newest version</a>`
    : 'This page was deleted or renamed. Its versions remain.',
)}
${page ? await textOf(visit, project, page) : emptyState('The page does not exist at this version', 'This version deleted or renamed it.')}`;
  return projectPage(visit, project, 'wikis', `${name} at ${sha.slice(0, 8)}`, main);
};

/** What a commit of the wiki changed in a page: `<sha>/<slug>`. */
export const showWikiChange: ProjectPage = async (visit, project, rest) => {
  const variables = variablesOf(project, rest);
  const { wikiPageVersion: version } = await visit.ask(changeDocument, variables);
  const { sha, slug, page, change } = version;
  const name = page?.title ?? slug;
  const compared: Compared = {
    address: addressIn(visit, project, 'wiki_changes', sha, slug),
    diffs: change ? [change] : [],
    oldSha: null,
    newSha: sha,
    isElsewhere: true,
  };
  const fragment = await changesFragment(visit, project, compared);
  if (fragment) return fragment;
  const links =
    page &&
    html`<a class="button secondary small" href="${addressIn(visit, project, 'wiki_versions', sha, slug)}">${icon('eye')}View page</a>`;
  const main = html`${versionHead(visit, project, { name, version, links })}
${await changes(visit, project, compared)}`;
  const shown = projectPage(visit, project, 'wikis', `Changes of ${name}`, main);
  return { ...shown, isWide: isParallel(visit) };
};

interface Head {
  readonly name: string;
  readonly version: ResultOf<typeof wikiVersionFields> & { readonly slug: string };
  readonly links: Html | null;
}

const versionHead = (visit: Visit, project: Project, { name, version, links }: Head): Html =>
  html`<div class="bar"><h1>${name}</h1><div class="row">${links}
<a class="button secondary small" href="${addressIn(visit, project, 'wiki_history', version.slug)}">${icon('list-unordered')}History</a></div></div>
<div class="commit-row">${versionAvatar(version)}<div class="commit">${version.title} <code>${version.sha.slice(0, 8)}</code>
${versionAuthor(visit, version)}</div></div>`;
