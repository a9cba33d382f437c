import { graphql } from '../../../schema/client/graphql.ts';
import { pathNotFound } from '../../../schema/kernel/errors.ts';
import { addressIn } from '../frame/address-in.ts';
import type { Project } from '../frame/project-head.ts';
import type { ProjectPage } from '../frame/sections.ts';
import { numberIn, splitFirst } from '../kernel/addresses.ts';
import { orFault } from '../kernel/fault.ts';
import type { Answer, Visit } from '../kernel/page.ts';
import { saved } from '../kernel/parts.ts';
import { environmentPage } from './environment.ts';
import { editEnvironmentPage, environmentInput, newEnvironmentPage } from './environment-form.ts';
import { environmentsPage } from './environments.ts';

const create = graphql(`
  mutation AddEnvironment($project: ID!, $name: String!, $externalUrl: String) {
    createEnvironment(project: $project, name: $name, externalUrl: $externalUrl) { id }
  }
`);

const update = graphql(`
  mutation ChangeEnvironment($project: ID!, $id: Int!, $name: String!, $externalUrl: String) {
    updateEnvironment(project: $project, id: $id, name: $name, externalUrl: $externalUrl) { id }
  }
`);

const stop = graphql(`
  mutation StopShownEnvironment($project: ID!, $id: Int!) {
    stopEnvironment(project: $project, id: $id) { id }
  }
`);

const remove = graphql(`
  mutation RemoveEnvironment($project: ID!, $id: Int!) {
    deleteEnvironment(project: $project, id: $id)
  }
`);

/** The environments of a project, `new`, `1` and `1/edit`. */
export const showEnvironments: ProjectPage = (visit, project, rest) => {
  if (rest === '') return environmentsPage(visit, project);
  if (rest === 'new') return newEnvironmentPage(visit, project);
  const [number, action] = splitFirst(rest);
  if (action === '') return environmentPage(visit, project, numberIn(number));
  if (action === 'edit') return editEnvironmentPage(visit, project, numberIn(number));
  throw pathNotFound();
};

/** The forms of environments: create, `1`, `1/stop` and `1/delete`. */
export const submitEnvironments: ProjectPage = async (visit, project, rest) => {
  if (rest === '') return createOne(visit, project);
  const [number, action] = splitFirst(rest);
  const environment = { project: String(project.id), id: numberIn(number) };
  const address = addressIn(visit, project, 'environments');
  if (action === '') return change(visit, project, environment.id);
  if (action === 'stop') {
    await visit.ask(stop, environment);
    return saved(`${address}/${number}`);
  }
  if (action !== 'delete') throw pathNotFound();
  await visit.ask(remove, environment);
  return saved(address);
};

const createOne = (visit: Visit, project: Project): Promise<Answer> =>
  orFault(
    visit,
    async () => {
      const variables = { project: String(project.id), ...environmentInput(visit) };
      const { id } = (await visit.ask(create, variables)).createEnvironment;
      return { redirect: addressIn(visit, project, 'environments', String(id)) };
    },
    (fault) => newEnvironmentPage(visit, project, fault),
  );

const change = (visit: Visit, project: Project, id: number): Promise<Answer> =>
  orFault(
    visit,
    async () => {
      await visit.ask(update, { project: String(project.id), id, ...environmentInput(visit) });
      return saved(addressIn(visit, project, 'environments', String(id)));
    },
    (fault) => editEnvironmentPage(visit, project, id, fault),
  );
