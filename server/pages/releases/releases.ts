import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import { addressIn } from '../frame/address-in.ts';
import { type Project, projectPage } from '../frame/project-head.ts';
import type { ProjectPage } from '../frame/sections.ts';
import { type Html, html } from '../kernel/html.ts';
import { icon } from '../kernel/icons.ts';
import { badges, pageOf, pager } from '../kernel/listing.ts';
import type { Visit } from '../kernel/page.ts';
import { emptyState } from '../kernel/parts.ts';
import { person, personFields } from '../kernel/people.ts';
import { when } from '../kernel/times.ts';
import { textLinking } from '../markdown/linking.ts';
import { markdowns } from '../markdown/markdown.ts';

const releaseFields = graphql(
  `fragment ShownRelease on Release {
    tagName name description releasedAt isUpcoming author { ...PersonFields }
    milestones { iid title project { fullPath } }
    links(perPage: 100) { nodes { id name directUrl isExternal type } }
    sources { format url }
  }`,
  [personFields],
);

type Release = ResultOf<typeof releaseFields>;

const list = graphql(
  `query BrowsedReleases($project: ID!, $page: Int!, $perPage: Int!) {
    releases(project: $project, orderBy: releasedAt, page: $page, perPage: $perPage) {
      total nodes { ...ShownRelease }
    }
  }`,
  [releaseFields],
);

const releaseDocument = graphql(
  `query BrowsedRelease($project: ID!, $tagName: String!) {
    release(project: $project, tagName: $tagName) { ...ShownRelease }
  }`,
  [releaseFields],
);

/** Fewer than of other lists: each has its notes. */
const perPage = 10;

/** The releases of a project, the newest first. */
export const showReleases: ProjectPage = async (visit, project) => {
  const page = pageOf(visit);
  const { releases } = await visit.ask(list, { project: String(project.id), page, perPage });
  const { total, nodes } = releases;
  const create =
    project.access.canPush &&
    html`<a class="button" href="${addressIn(visit, project, 'releases', 'new')}">${icon('plus')}New release</a>`;
  const main = html`<div class="bar"><h1>Releases</h1>${total > 0 && create}</div>
${
  total === 0
    ? emptyState(
        'There are no releases yet',
        'A release is a tag with notes, and with links to files.',
        create || null,
      )
    : await articlesOf(visit, project, nodes)
}
${pager({ address: addressIn(visit, project, 'releases'), page, total, size: perPage })}`;
  return projectPage(visit, project, 'releases', 'Releases', main);
};

/** One release by its tag. */
export const showRelease: ProjectPage = async (visit, project, tagName) => {
  const { release } = await visit.ask(releaseDocument, { project: String(project.id), tagName });
  const main = html`<h1 class="unseen">Release ${release.name}</h1>
${await articlesOf(visit, project, [release])}`;
  return projectPage(visit, project, 'releases', release.name, main);
};

async function articlesOf(visit: Visit, project: Project, releases: readonly Release[]) {
  const descriptions = releases.map(({ description }) => description);
  const notes = await markdowns(visit, descriptions, textLinking(visit, project));
  return html`${releases.map((release, place) => articleOf(visit, project, release, notes[place]))}`;
}

function articleOf(visit: Visit, project: Project, release: Release, notes: Html | undefined) {
  const { tagName, name, releasedAt, isUpcoming, author, milestones } = release;
  return html`<article class="note">
<div class="bar"><h2><a href="${addressIn(visit, project, 'releases', tagName)}">${name}</a>${badges([isUpcoming && 'upcoming'])}</h2>${
    project.access.canPush &&
    html`<a class="button secondary small" href="${addressIn(visit, project, 'releases', tagName, 'edit')}">${icon('pencil')}Edit<span class="unseen"> ${name}</span></a>`
  }</div>
<p class="quiet"><a href="${addressIn(visit, project, 'tree', tagName)}">${icon('tag')} ${tagName}</a> · ${when(releasedAt)}${author && html` · ${person(visit, author)}`}${milestones.map(
    ({ iid, title, project: owner }) =>
      html` · ${icon('milestone')}${owner ? html`<a href="${addressIn(visit, owner, 'milestones', String(iid))}">${title}</a>` : title}`,
  )}</p>
${release.description !== '' && notes}
${assetsOf(release)}
</article>`;
}

const assetsOf = ({ links, sources }: Release): Html => html`<h3>Assets</h3>
<ul class="plain">${links.nodes.map(
  ({ name, directUrl, isExternal, type }) =>
    html`<li>${icon('link')} <a href="${directUrl}" rel="nofollow noopener noreferrer">${name}</a>${type !== 'other' && badges([type])}${isExternal && html` <span class="quiet">external</span>`}</li>`,
)}${sources.map(
  ({ format, url }) =>
    html`<li>${icon('archive')} <a href="${url}">Source code (${format})</a></li>`,
)}</ul>`;
