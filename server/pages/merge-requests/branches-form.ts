import { graphql } from '../../../schema/client/graphql.ts';
import { refField, refNames, suggestions } from '../code/ref-field.ts';
import { addressIn } from '../frame/address-in.ts';
import { type Project, projectHeadFields, projectPage } from '../frame/project-head.ts';
import { select } from '../kernel/forms.ts';
import { html } from '../kernel/html.ts';
import type { Answer, Visit } from '../kernel/page.ts';
import { alert } from '../kernel/parts.ts';

/** The branches of a new merge request. */
export interface Branches {
  readonly source: string;
  readonly target: string;
  /** The full path of the target project; '' for the project itself. */
  readonly project: string;
}

const projectDocument = graphql(
  `query MergeRequestTarget($id: ID!) { project(id: $id) { ...ProjectHeadFields } }`,
  [projectHeadFields],
);

/** The target project: the project itself, or the one it was forked from. */
export async function targetProject(
  visit: Visit,
  project: Project,
  { project: path }: Branches,
): Promise<Project> {
  if (path === '' || path === project.fullPath) return project;
  return (await visit.ask(projectDocument, { id: path })).project;
}

/**
 * The branches in the address. One that names no target, such as that which a push prints, means the
 * default branch, in a fork that of its source if that has merge requests.
 */
export async function chosenBranches(visit: Visit, project: Project): Promise<Branches> {
  const { forkedFrom } = project;
  const of = (name: string) => visit.query[`merge_request[${name}]`];
  const source = of('source_branch') ?? '';
  const target = of('target_branch') ?? '';
  const named = of('target_project');
  const isOpen = named === undefined && target === '';
  const path = forkedFrom && (isOpen || named === forkedFrom.fullPath) ? forkedFrom.fullPath : '';
  if (target !== '') return { source, target, project: path };
  const destination = await targetProject(visit, project, { source, target, project: path });
  const { defaultBranch, mergeRequestsEnabled, isArchived } = destination;
  return defaultBranch !== null && mergeRequestsEnabled && !isArchived
    ? { source, target: defaultBranch, project: path }
    : { source, target: project.defaultBranch ?? '', project: '' };
}

/** The form that chooses the branches. */
export async function branchesForm(
  visit: Visit,
  project: Project,
  { source, target, project: path }: Branches,
  fault: string | null = null,
): Promise<Answer> {
  const { branches } = await refNames(visit, project);
  const { forkedFrom, fullPath } = project;
  const targets = forkedFrom
    ? ([
        [forkedFrom.fullPath, forkedFrom.fullPath],
        ['', fullPath],
      ] as const)
    : [];
  const main = html`<h1>New merge request</h1>
${alert(fault)}
<form method="get" action="${addressIn(visit, project, 'merge_requests', 'new')}" class="stacked">${suggestions('branches', branches)}
${refField({ name: 'merge_request[source_branch]', id: 'source', label: 'Source branch', value: source, list: 'branches' })}
${targets.length > 0 && select({ name: 'merge_request[target_project]', id: 'target-project', label: 'Target project', value: path, options: targets })}
${refField({ name: 'merge_request[target_branch]', id: 'target', label: 'Target branch', value: target, list: 'branches' })}
<p class="row"><button>Compare branches</button></p>
</form>`;
  const shown = projectPage(visit, project, 'merge_requests', 'New merge request', main);
  return { ...shown, status: fault === null ? 200 : 422 };
}
