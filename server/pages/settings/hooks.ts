import { graphql } from '../../../schema/client/graphql.ts';
import { addressIn } from '../frame/address-in.ts';
import { type Project, projectPage } from '../frame/project-head.ts';
import type { Fault } from '../kernel/fault.ts';
import { orFault } from '../kernel/fault.ts';
import { type Html, html } from '../kernel/html.ts';
import { badges, entries, pageOf, pager } from '../kernel/listing.ts';
import type { Answer, ShownPage, Visit } from '../kernel/page.ts';
import { savedNotice } from '../kernel/parts.ts';
import { eventsOf, type Hook, hookEvents, hookFields, hookForm, hookInput } from './hook-form.ts';

const list = graphql(
  `query ListedHooks($project: ID!, $page: Int!, $perPage: Int!) {
    hooks(project: $project, page: $page, perPage: $perPage) { total nodes { ...HookSettings } }
  }`,
  [hookFields],
);

const create = graphql(`
  mutation AddHook($project: ID!, $hook: NewHook!) {
    createHook(project: $project, hook: $hook) { id }
  }
`);

const size = 50;

/** The webhooks of a project, and the form for another one. */
export async function hooksPage(
  visit: Visit,
  project: Project,
  fault: Fault | null = null,
): Promise<ShownPage> {
  const page = pageOf(visit);
  const variables = { project: String(project.id), page, perPage: size };
  const { total, nodes } = (await visit.ask(list, variables)).hooks;
  const address = addressIn(visit, project, 'hooks');
  const main = html`<h1>Webhooks</h1>
${savedNotice(visit)}
<p class="quiet">URLs to which events of this project are sent as JSON.</p>
${entries(
  nodes.map((hook) => row(address, hook)),
  'There are no webhooks.',
)}
${pager({ address, page, total, size })}
<section aria-labelledby="new-hook">
<h2 id="new-hook">Add a webhook</h2>
${hookForm(visit, { address, submit: 'Add webhook', fault })}
</section>`;
  const shown = projectPage(visit, project, 'hooks', 'Webhooks', main);
  return { ...shown, ...(fault && { status: fault.status }) };
}

function row(address: string, hook: Hook): Html {
  const chosen = new Set<string>(eventsOf(hook));
  const labels = hookEvents.flatMap(([name, label]) => (chosen.has(name) ? [label] : []));
  return html`<a class="name" href="${address}/${hook.id}/edit">${hook.url}</a>
<span class="quiet">${labels.length === 0 ? 'No events' : badges(labels)}${
    !hook.enableSslVerification && ' · TLS certificate not verified'
  }</span>`;
}

/** Creates a webhook. */
export const submitNewHook = (visit: Visit, project: Project): Promise<Answer> =>
  orFault(
    visit,
    async () => {
      const variables = { project: String(project.id), hook: hookInput(visit) };
      const { id } = (await visit.ask(create, variables)).createHook;
      return { redirect: `${addressIn(visit, project, 'hooks', String(id), 'edit')}?saved=1` };
    },
    (fault) => hooksPage(visit, project, fault),
  );
