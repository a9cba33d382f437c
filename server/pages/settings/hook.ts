import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import { addressIn } from '../frame/address-in.ts';
import { type Project, projectPage } from '../frame/project-head.ts';
import type { Fault } from '../kernel/fault.ts';
import { type Html, html } from '../kernel/html.ts';
import { entries, pageOf, pager } from '../kernel/listing.ts';
import type { ShownPage, Visit } from '../kernel/page.ts';
import { confirmedForm, notice, savedNotice } from '../kernel/parts.ts';
import { when } from '../kernel/times.ts';
import { hookFields, hookForm } from './hook-form.ts';
import { testForm } from './hook-test.ts';

const single = graphql(
  `query EditedHook($project: ID!, $id: Int!, $page: Int!, $perPage: Int!) {
    hook(project: $project, id: $id) {
      ...HookSettings
      deliveries(page: $page, perPage: $perPage) {
        total nodes { id event state attempts responseStatus duration createdAt }
      }
    }
  }`,
  [hookFields],
);

type Delivery = ResultOf<typeof single>['hook']['deliveries']['nodes'][number];

const size = 20;

interface Refused {
  readonly form: 'settings' | 'test';
  readonly fault: Fault;
}

/** Edits and tests a webhook, and lists its recent deliveries. */
export async function hookPage(
  visit: Visit,
  project: Project,
  id: number,
  refused: Refused | null = null,
): Promise<ShownPage> {
  const page = pageOf(visit);
  const variables = { project: String(project.id), id, page, perPage: size };
  const { hook } = await visit.ask(single, variables);
  const { deliveries } = hook;
  const address = addressIn(visit, project, 'hooks', String(id));
  const main = html`<h1>Webhook</h1>
${savedNotice(visit)}
${visit.query.sent === '1' && notice('The event is sent in the background.')}
${hookForm(visit, {
  address,
  submit: 'Save',
  cancel: addressIn(visit, project, 'hooks'),
  hook,
  fault: refused?.form === 'settings' ? refused.fault : null,
})}
${testForm(visit, address, refused?.form === 'test' ? refused.fault : null)}
<section aria-labelledby="deliveries">
<h2 id="deliveries">Recent deliveries</h2>
<p class="quiet">Deliveries are kept for seven days.</p>
${entries(
  deliveries.nodes.map((delivery) => row(address, delivery)),
  'No event was sent yet.',
)}
${pager({ address: `${address}/edit`, page, total: deliveries.total, size })}
</section>
${confirmedForm(
  visit,
  { address: `${address}/delete`, label: 'Delete webhook' },
  'Its deliveries are deleted, too.',
)}`;
  const shown = projectPage(visit, project, 'hooks', 'Webhook', main);
  return { ...shown, ...(refused && { status: refused.fault.status }) };
}

/** The badge of a delivery's state. */
export const deliveryMark = (state: string): Html =>
  html`<span class="badge ${state === 'delivered' ? 'success' : state}">${state}</span>`;

const row = (address: string, delivery: Delivery): Html =>
  html`<div class="row"><a class="name" href="${address}/deliveries/${delivery.id}">${delivery.event}</a>
${deliveryMark(delivery.state)}
<span class="quiet">${when(delivery.createdAt)}${
    delivery.responseStatus !== null && html` · HTTP ${delivery.responseStatus}`
  }${delivery.duration !== null && html` · ${delivery.duration.toFixed(2)} s`}${
    delivery.attempts > 1 && html` · ${delivery.attempts} attempts`
  }</span></div>`;
