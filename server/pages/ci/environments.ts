import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import { addressIn } from '../frame/address-in.ts';
import { type Project, projectPage } from '../frame/project-head.ts';
import { type Html, html } from '../kernel/html.ts';
import { entries, pageOf, pager, perPage } from '../kernel/listing.ts';
import type { ShownPage, Visit } from '../kernel/page.ts';
import { actionForm, emptyState, savedNotice } from '../kernel/parts.ts';
import { person, personFields } from '../kernel/people.ts';
import { when } from '../kernel/times.ts';
import { refAndCommit } from './ci.ts';

export const deploymentFields = graphql(
  `fragment DeploymentRowFields on Deployment {
    id iid ref isTag sha createdAt user { ...PersonFields } job { id name }
  }`,
  [personFields],
);

const rowFields = graphql(
  `fragment EnvironmentRowFields on Environment {
    id name externalUrl state canStop
    deployments(perPage: 1) { nodes { ...DeploymentRowFields } }
  }`,
  [deploymentFields],
);

const list = graphql(
  `query ListedEnvironments($project: ID!, $page: Int!, $perPage: Int!) {
    project(id: $project) { access { canCreateEnvironments } }
    environments(project: $project, page: $page, perPage: $perPage) {
      total nodes { ...EnvironmentRowFields }
    }
  }`,
  [rowFields],
);

type Deployment = ResultOf<typeof deploymentFields>;

/** The environments of a project. */
export async function environmentsPage(visit: Visit, project: Project): Promise<ShownPage> {
  const page = pageOf(visit);
  const variables = { project: String(project.id), page, perPage };
  const answer = await visit.ask(list, variables);
  const { total, nodes } = answer.environments;
  const address = addressIn(visit, project, 'environments');
  const add = answer.project.access.canCreateEnvironments
    ? html`<a class="button" href="${address}/new">New environment</a>`
    : null;
  const main = html`<div class="bar"><h1>Environments</h1>${add}</div>
${savedNotice(visit)}
${
  total === 0
    ? emptyState(
        'There are no environments yet',
        html`Jobs with <code>environment</code> in the CI file deploy to environments such as <code>production</code>.`,
        add,
      )
    : entries(
        nodes.map((environment) => row(visit, project, address, environment)),
        'There are no environments on this page.',
      )
}
${pager({ address, page, total })}`;
  return projectPage(visit, project, 'environments', 'Environments', main);
}

function row(
  visit: Visit,
  project: Project,
  address: string,
  environment: ResultOf<typeof rowFields>,
): Html {
  const { id, name, state, canStop, deployments } = environment;
  const [latest] = deployments.nodes;
  return html`<div class="row"><a class="name" href="${address}/${id}">${name}</a>${stateMark(state)}
${externalLink(environment)}${canStop && stopButton(visit, `${address}/${id}`, name)}</div>
${latest ? deploymentLine(visit, project, latest) : html`<span class="quiet">No deployments yet</span>`}`;
}

/** The badge of an environment's state. */
export const stateMark = (state: string): Html =>
  html`<span class="badge${state === 'available' && ' success'}">${state}</span>`;

/** A link to what is deployed; nothing without a URL. */
export const externalLink = ({ externalUrl }: { readonly externalUrl: string | null }) =>
  externalUrl !== null &&
  /^https?:\/\//i.test(externalUrl) &&
  html`<a href="${externalUrl}" rel="nofollow noopener noreferrer">${externalUrl}</a>`;

/** The button that stops an environment. */
export const stopButton = (visit: Visit, address: string, name: string): Html =>
  actionForm(visit, {
    address: `${address}/stop`,
    label: 'Stop',
    icon: 'stop',
    about: name,
    look: 'small danger',
  });

/** What was deployed, by which job, and when. */
export const deploymentLine = (visit: Visit, project: Project, deployment: Deployment): Html => {
  const { iid, job, user, createdAt } = deployment;
  return html`<span class="quiet">#${iid} · ${refAndCommit(visit, project, deployment)}${
    job &&
    html` · <a href="${addressIn(visit, project, '-', 'jobs', String(job.id))}">${job.name} #${job.id}</a>`
  } · ${person(visit, user)} · ${when(createdAt)}</span>`;
};
