import { graphql } from '../../../schema/client/graphql.ts';
import { addressIn } from '../frame/address-in.ts';
import { projectPage } from '../frame/project-head.ts';
import type { ProjectPage } from '../frame/sections.ts';
import { html } from '../kernel/html.ts';
import { entries, pageOf, pager, perPage } from '../kernel/listing.ts';
import { commitFields, commitLine, locationFields, pathTrail } from './location.ts';

const locationDocument = graphql(
  `query HistoryPlace($project: ID!, $address: String!) {
    repository(project: $project) { location(address: $address) { ...LocationFields } }
  }`,
  [locationFields],
);

const history = graphql(
  `query BrowsedCommits($project: ID!, $ref: String!, $path: String!, $page: Int!, $perPage: Int!) {
    repository(project: $project) {
      commits(ref: $ref, filter: { path: $path }, page: $page, perPage: $perPage) {
        total nodes { ...CommitRowFields }
      }
    }
  }`,
  [commitFields],
);

/** The commits of a ref, `<ref>`, or of a file or folder, `<ref>/<path>`. */
export const showCommits: ProjectPage = async (visit, project, rest) => {
  if (rest === '') {
    const ref = project.defaultBranch;
    return { redirect: addressIn(visit, project, ...(ref === null ? [] : ['commits', ref])) };
  }
  const variables = { project: String(project.id), address: rest };
  const { location } = (await visit.ask(locationDocument, variables)).repository;
  const { ref, path, commitId } = location;
  const page = pageOf(visit);
  const range = { project: String(project.id), ref: commitId, path, page, perPage };
  const { commits } = (await visit.ask(history, range)).repository;
  const main = html`<h1>Commits</h1>
${pathTrail(visit, project, location)}
${entries(
  commits.nodes.map((commit) => commitLine(visit, project, commit)),
  'There are no commits for this path.',
)}
${pager({ address: addressIn(visit, project, 'commits', ref, path), page, total: commits.total })}`;
  return projectPage(visit, project, 'commits', `Commits of ${path === '' ? ref : path}`, main);
};
