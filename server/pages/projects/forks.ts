import { graphql } from '../../../schema/client/graphql.ts';
import { pathNotFound } from '../../../schema/kernel/errors.ts';
import { addressIn } from '../frame/address-in.ts';
import { type Project, projectPage } from '../frame/project-head.ts';
import type { ProjectPage } from '../frame/sections.ts';
import { type Fault, foundBy, orFault } from '../kernel/fault.ts';
import { faultText } from '../kernel/form-faults.ts';
import { field, formOf, otherFaults, select } from '../kernel/forms.ts';
import { html } from '../kernel/html.ts';
import { icon } from '../kernel/icons.ts';
import { pageOf, pager, perPage } from '../kernel/listing.ts';
import { notAllowed } from '../kernel/not-allowed.ts';
import type { Answer, ShownPage, Visit } from '../kernel/page.ts';
import { alert, emptyState } from '../kernel/parts.ts';
import { namespaceOptions } from './namespaces.ts';
import { projectRowFields, projectRows } from './project-rows.ts';

const Forks = graphql(
  `query ForksOfProject($project: ID!, $page: Int!, $perPage: Int!) {
    project(id: $project) {
      forks(page: $page, perPage: $perPage, orderBy: lastActivityAt) {
        total nodes { ...ProjectRowFields }
      }
    }
  }`,
  [projectRowFields],
);

const Fork = graphql(`
  mutation ForkByForm($project: ID!, $namespace: ID!, $name: String, $path: String) {
    forkProject(project: $project, namespace: $namespace, name: $name, path: $path) { fullPath }
  }
`);

/** The forks of a project, and below `new` the form that creates one. */
export const showForks: ProjectPage = (visit, project, rest) => {
  if (rest === '') return forks(visit, project);
  if (rest !== 'new') throw pathNotFound();
  if (!visit.viewer || !project.access.canReadCode) throw notAllowed(visit);
  return newFork(visit, project);
};

async function forks(visit: Visit, project: Project): Promise<ShownPage> {
  const page = pageOf(visit);
  const variables = { project: String(project.id), page, perPage };
  const { total, nodes } = (await visit.ask(Forks, variables)).project.forks;
  const fork = html`<a class="button" href="${addressIn(visit, project, 'forks', 'new')}">${icon('repo-forked')}Fork</a>`;
  const none = emptyState(
    'There are no forks yet',
    'A fork is a copy of a project in another namespace, for changes of your own.',
    visit.viewer && project.access.canReadCode ? fork : null,
  );
  const main = html`<h1>Forks <span class="count">${total}</span></h1>
${total === 0 ? none : projectRows(visit, nodes, { isFull: true })}
${pager({ address: addressIn(visit, project, 'forks'), page, total })}`;
  return projectPage(visit, project, '', 'Forks', main);
}

async function newFork(visit: Visit, project: Project, fault?: Fault): Promise<ShownPage> {
  const { form, query } = visit;
  const faults = fault?.fields ?? {};
  const namespaces = await namespaceOptions(visit, form.namespace_id ?? query.namespace_id);
  const cancel = addressIn(visit, project);
  const controls = html`${select({
    name: 'namespace_id',
    label: 'Namespace',
    value: namespaces.chosen,
    options: namespaces.options,
    fault: faultText(faults, 'namespace', 'Namespace'),
  })}
${field({
  name: 'name',
  label: 'Name',
  value: form.name ?? project.name,
  fault: faultText(faults, 'name', 'Name'),
})}
${field({
  name: 'path',
  label: 'Path',
  value: form.path ?? project.fullPath.slice(project.fullPath.lastIndexOf('/') + 1),
  hint: 'The last part of the address.',
  fault: faultText(faults, 'path', 'Path'),
})}`;
  const address = addressIn(visit, project, 'forks', 'new');
  const body =
    namespaces.options.length === 0
      ? emptyState('You cannot create projects', 'There is no namespace in which you may fork.')
      : formOf(visit, { address, submit: 'Fork project', cancel }, controls);
  const main = html`<h1>Fork ${project.name}</h1>
<p>A fork is a copy of the repository in another namespace. You propose its changes with merge requests.
<a href="${addressIn(visit, project, 'forks')}">Existing forks</a></p>
${alert(fault?.text ?? otherFaults(faults, ['namespace', 'name', 'path']))}
${body}`;
  const page = projectPage(visit, project, '', 'Fork', main);
  return { ...page, status: fault?.status ?? 200 };
}

/** Creates a fork; its page waits until the repository is copied. */
export const submitFork: ProjectPage = (visit, project, rest): Promise<Answer> => {
  if (rest !== 'new') throw pathNotFound();
  const { namespace_id = '', name, path } = visit.form;
  return orFault(
    visit,
    async () => {
      const { forkProject: fork } = await foundBy('namespace', () =>
        visit.ask(Fork, {
          project: String(project.id),
          namespace: namespace_id,
          name: name || null,
          path: path || null,
        }),
      );
      return { redirect: addressIn(visit, fork) };
    },
    (fault) => newFork(visit, project, fault),
  );
};
