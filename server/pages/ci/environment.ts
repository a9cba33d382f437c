import { graphql } from '../../../schema/client/graphql.ts';
import { addressIn } from '../frame/address-in.ts';
import { type Project, projectPage } from '../frame/project-head.ts';
import { html } from '../kernel/html.ts';
import { entries, pageOf, pager, perPage } from '../kernel/listing.ts';
import type { ShownPage, Visit } from '../kernel/page.ts';
import { savedNotice } from '../kernel/parts.ts';
import {
  deploymentFields,
  deploymentLine,
  externalLink,
  stateMark,
  stopButton,
} from './environments.ts';

const single = graphql(
  `query ShownEnvironment($project: ID!, $id: Int!, $page: Int!, $perPage: Int!) {
    environment(project: $project, id: $id) {
      name slug externalUrl state canChange canStop
      deployments(page: $page, perPage: $perPage) { total nodes { ...DeploymentRowFields } }
    }
  }`,
  [deploymentFields],
);

const word = 'environments';

/** An environment with its deployments. */
export async function environmentPage(
  visit: Visit,
  project: Project,
  id: number,
): Promise<ShownPage> {
  const page = pageOf(visit);
  const variables = { project: String(project.id), id, page, perPage };
  const { environment } = await visit.ask(single, variables);
  const { name, slug, state, canChange, canStop, deployments } = environment;
  const address = addressIn(visit, project, word, String(id));
  const main = html`<div class="bar"><h1>${name} ${stateMark(state)}</h1>
<div class="row">${canStop && stopButton(visit, address, name)}${
    canChange && html`<a class="button secondary small" href="${address}/edit">Edit</a>`
  }</div></div>
${savedNotice(visit)}
<p>${externalLink(environment)}</p>
<p class="quiet">Slug: <code>${slug}</code></p>
<h2>Deployments</h2>
${entries(
  deployments.nodes.map((deployment) => deploymentLine(visit, project, deployment)),
  'There are no deployments yet.',
)}
${pager({ address, page, total: deployments.total })}`;
  return projectPage(visit, project, word, name, main);
}
