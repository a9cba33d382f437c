import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import { pathNotFound } from '../../../schema/kernel/errors.ts';
import { addressIn } from '../frame/address-in.ts';
import { type Project, projectPage } from '../frame/project-head.ts';
import type { ProjectPage } from '../frame/sections.ts';
import { type Fault, orFault } from '../kernel/fault.ts';
import { type Html, html } from '../kernel/html.ts';
import { icon } from '../kernel/icons.ts';
import { badges, entries, pageOf, pager, perPage } from '../kernel/listing.ts';
import type { Answer, Visit } from '../kernel/page.ts';
import { alert, confirmedForm } from '../kernel/parts.ts';
import { commitFields, commitLine } from './location.ts';
import { newBranchPage } from './new-branch.ts';
import { textSearch } from './text-search.ts';

const branches = graphql(
  `query BrowsedBranches($project: ID!, $search: String!, $page: Int!, $perPage: Int!) {
    repository(project: $project) {
      branches(filter: { search: $search }, page: $page, perPage: $perPage) {
        total
        nodes { name isProtected isMerged canDelete commit { ...CommitRowFields } }
      }
    }
  }`,
  [commitFields],
);

type Branch = ResultOf<typeof branches>['repository']['branches']['nodes'][number];

const create = graphql(`
  mutation CreateBranchOnPage($project: ID!, $name: String!, $ref: String!) {
    createBranch(project: $project, name: $name, ref: $ref) { name }
  }
`);

const remove = graphql(`
  mutation DeleteBranchOnPage($project: ID!, $name: String!) {
    deleteBranch(project: $project, name: $name)
  }
`);

/** The branches by name, each with its latest commit; `new` has a form for another. */
export const showBranches: ProjectPage = (visit, project, rest) => {
  if (rest === 'new') {
    const { branch_name: name = '', ref = '' } = visit.query;
    return newBranchPage(visit, project, { name, ref, fault: null });
  }
  if (rest !== '') throw pathNotFound();
  return listPage(visit, project, null);
};

/** Creates a branch, or with `delete` deletes one. */
export const submitBranches: ProjectPage = (visit, project, rest) => {
  const id = String(project.id);
  const { branch_name: name = '', ref = '' } = visit.form;
  if (rest === 'delete') {
    const work = async (): Promise<Answer> => {
      await visit.ask(remove, { project: id, name });
      return { redirect: addressIn(visit, project, 'branches') };
    };
    return orFault(visit, work, (fault) => listPage(visit, project, fault));
  }
  if (rest !== '') throw pathNotFound();
  const work = async (): Promise<Answer> => {
    const { createBranch } = await visit.ask(create, { project: id, name: name.trim(), ref });
    return { redirect: addressIn(visit, project, 'tree', createBranch.name) };
  };
  return orFault(visit, work, (fault) => newBranchPage(visit, project, { name, ref, fault }));
};

async function listPage(visit: Visit, project: Project, fault: Fault | null): Promise<Answer> {
  const page = pageOf(visit);
  const { search = '' } = visit.query;
  const variables = { project: String(project.id), search, page, perPage };
  const { total, nodes } = (await visit.ask(branches, variables)).repository.branches;
  const address = addressIn(visit, project, 'branches');
  const main = html`<div class="bar"><h1>Branches</h1>${
    project.access.canPush &&
    html`<a class="button" href="${addressIn(visit, project, 'branches', 'new')}">${icon('plus')}New branch</a>`
  }</div>
${alert(fault?.text ?? null)}
${textSearch(address, { label: 'Branch name', search })}
${entries(
  nodes.map((branch) => rowOf(visit, project, branch)),
  search === '' ? 'There are no branches.' : 'No branch has this text in its name.',
)}
${pager({ address, page, total, query: search === '' ? {} : { search } })}`;
  const shown = projectPage(visit, project, 'branches', 'Branches', main);
  return fault ? { ...shown, status: fault.status } : shown;
}

function rowOf(visit: Visit, project: Project, branch: Branch): Html {
  const { name, isProtected, isMerged, canDelete, commit } = branch;
  const isDefault = name === project.defaultBranch;
  const marks = badges([
    isDefault && 'default',
    isProtected && 'protected',
    isMerged && !isDefault && 'merged',
  ]);
  const links = html`${
    project.jobsEnabled &&
    project.access.canSeePipelines &&
    linkTo(addressIn(visit, project, 'pipelines'), { ref: name }, 'Pipelines', `for ${name}`)
  }${
    visit.viewer &&
    !isDefault &&
    project.mergeRequestsEnabled &&
    linkTo(
      addressIn(visit, project, 'merge_requests', 'new'),
      { 'merge_request[source_branch]': name },
      'New merge request',
      `from ${name}`,
    )
  }`;
  return html`<div class="bar"><div><a class="name" href="${addressIn(visit, project, 'tree', name)}">${icon('git-branch')} ${name}</a>${marks}
<div>${commitLine(visit, project, commit)}</div></div>
<div class="row">${links}${
    canDelete &&
    confirmedForm(
      visit,
      {
        address: addressIn(visit, project, 'branches', 'delete'),
        label: 'Delete',
        about: name,
        fields: html`<input type="hidden" name="branch_name" value="${name}">`,
      },
      html`The branch <strong>${name}</strong> is deleted. Commits that no other branch or tag contains are lost.`,
    )
  }</div></div>`;
}

const linkTo = (
  address: string,
  query: Readonly<Record<string, string>>,
  label: string,
  about: string,
): Html =>
  html`<a class="quiet" href="${address}?${String(new URLSearchParams(query))}" aria-label="${label} ${about}">${label}</a>`;
