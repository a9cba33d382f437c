import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import { changes, changesFragment } from '../diffs/changes.ts';
import { type Compared, isParallel } from '../diffs/compared.ts';
import { diffFields } from '../diffs/fields.ts';
import { addressIn } from '../frame/address-in.ts';
import type { Project } from '../frame/project-head.ts';
import { type Html, html } from '../kernel/html.ts';
import type { Answer, Visit } from '../kernel/page.ts';
import { menu, notice } from '../kernel/parts.ts';
import { when } from '../kernel/times.ts';
import { headFields } from './fields.ts';
import { mergeRequestAddress, mergeRequestPage } from './head.ts';

/** The versions that are kept are not more. */
const mostVersions = 100;

const listDocument = graphql(`
  query MergeRequestVersionsMenu($project: ID!, $iid: Int!, $perPage: Int!) {
    mergeRequestVersions(project: $project, iid: $iid, perPage: $perPage) {
      nodes { id headSha createdAt }
    }
  }
`);

const versionDocument = graphql(
  `query BrowsedMergeRequestVersion($project: ID!, $iid: Int!, $id: Int!) {
    mergeRequest(project: $project, iid: $iid) { ...MergeRequestHeadFields }
    mergeRequestVersion(project: $project, iid: $iid, id: $id) {
      id headSha baseSha diffs { ...BrowsedDiffFields }
    }
  }`,
  [headFields, diffFields],
);

type Version = ResultOf<typeof listDocument>['mergeRequestVersions']['nodes'][number];

/**
 * The menu of a merge request's versions, above its changes; null if there is only one. `current` is the id
 * of an older one that is shown.
 */
export async function versionsMenu(
  visit: Visit,
  project: Project,
  iid: number,
  current: number | null = null,
): Promise<Html | null> {
  const variables = { project: String(project.id), iid, perPage: mostVersions };
  const { nodes } = (await visit.ask(listDocument, variables)).mergeRequestVersions;
  if (nodes.length < 2) return null;
  const nameOf = (place: number) =>
    place === 0 ? 'Latest version' : `Version ${nodes.length - place}`;
  const shown = Math.max(
    0,
    nodes.findIndex(({ id }) => id === current),
  );
  const addressOf = ({ id }: Version, place: number) =>
    place === 0
      ? mergeRequestAddress(visit, project, iid, 'diffs')
      : mergeRequestAddress(visit, project, iid, 'versions', String(id));
  const links = nodes.map(
    (version, place) =>
      html`<a href="${addressOf(version, place)}"${place === shown && html` aria-current="page"`}>${nameOf(place)} <span class="quiet"><code>${version.headSha.slice(0, 8)}</code> ${when(version.createdAt)}</span></a>`,
  );
  const [latest] = nodes;
  const older = nodes[shown];
  const since =
    shown > 0 &&
    latest &&
    older &&
    html`<a href="${addressIn(visit, project, 'compare', `${older.headSha}...${latest.headSha}`)}">What changed since</a>`;
  return html`<div class="row">${menu(nameOf(shown), links)}${since}</div>`;
}

/** The changes of an older version; nothing can be commented on there. */
export async function showVersion(
  visit: Visit,
  project: Project,
  iid: number,
  id: number,
): Promise<Answer> {
  const variables = { project: String(project.id), iid, id };
  const { mergeRequest, mergeRequestVersion } = await visit.ask(versionDocument, variables);
  const { headSha, baseSha, diffs } = mergeRequestVersion;
  const compared: Compared = {
    address: mergeRequestAddress(visit, project, iid, 'versions', String(id)),
    diffs,
    oldSha: baseSha,
    newSha: headSha,
  };
  const fragment = await changesFragment(visit, project, compared);
  if (fragment) return fragment;
  const latest = mergeRequestAddress(visit, project, iid, 'diffs');
  const content = html`${notice(html`This is an older version. Comments are written on the <a href="${latest}">latest version</a>.`)}
${await versionsMenu(visit, project, iid, id)}
${await changes(visit, project, compared)}`;
  const page = mergeRequestPage(visit, project, mergeRequest, 'diffs', content);
  return { ...page, isWide: isParallel(visit) };
}
