import { graphql } from '../../../schema/client/graphql.ts';
import { pathNotFound } from '../../../schema/kernel/errors.ts';
import { addressIn } from '../frame/address-in.ts';
import { projectPage } from '../frame/project-head.ts';
import type { ProjectPage } from '../frame/sections.ts';
import { html } from '../kernel/html.ts';
import { badges, entries, pageOf, pager, perPage } from '../kernel/listing.ts';
import { commitFields, commitLine } from './location.ts';

const branches = graphql(
  `query BrowsedBranches($project: ID!, $page: Int!, $perPage: Int!) {
    repository(project: $project) {
      branches(page: $page, perPage: $perPage) {
        total nodes { name isProtected isMerged commit { ...CommitRowFields } }
      }
    }
  }`,
  [commitFields],
);

/** The branches by name, each with its latest commit. */
export const showBranches: ProjectPage = async (visit, project, rest) => {
  if (rest !== '') throw pathNotFound();
  const page = pageOf(visit);
  const variables = { project: String(project.id), page, perPage };
  const { total, nodes } = (await visit.ask(branches, variables)).repository.branches;
  const canSee = project.jobsEnabled && project.access.canSeePipelines;
  const ran = addressIn(visit, project, 'pipelines');
  const rows = nodes.map(({ name, isProtected, isMerged, commit }) => {
    const marks = badges([
      name === project.defaultBranch && 'default',
      isProtected && 'protected',
      isMerged && name !== project.defaultBranch && 'merged',
    ]);
    return html`<a class="name" href="${addressIn(visit, project, 'tree', name)}">${name}</a>${marks}
${commitLine(visit, project, commit)}${canSee && html`<a class="quiet" href="${ran}?${String(new URLSearchParams({ ref: name }))}" aria-label="Pipelines for ${name}">Pipelines</a>`}`;
  });
  const main = html`<h1>Branches</h1>
${entries(rows, 'There are no branches.')}
${pager({ address: addressIn(visit, project, 'branches'), page, total })}`;
  return projectPage(visit, project, 'branches', 'Branches', main);
};
