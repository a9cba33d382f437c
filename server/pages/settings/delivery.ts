import { graphql } from '../../../schema/client/graphql.ts';
import { pathNotFound } from '../../../schema/kernel/errors.ts';
import { addressIn } from '../frame/address-in.ts';
import { type Project, projectPage } from '../frame/project-head.ts';
import { html } from '../kernel/html.ts';
import type { ShownPage, Visit } from '../kernel/page.ts';
import { actionForm } from '../kernel/parts.ts';
import { moment } from '../kernel/times.ts';
import { deliveryMark } from './hook.ts';

const single = graphql(`
  query ShownDelivery($project: ID!, $hook: Int!, $id: Int!) {
    hook(project: $project, id: $hook) {
      url
      delivery(id: $id) {
        event state attempts requestBody responseStatus responseBody error duration createdAt
      }
    }
  }
`);

/** The request of a delivery, and the response to its last attempt. */
export async function deliveryPage(
  visit: Visit,
  project: Project,
  hook: number,
  id: number,
): Promise<ShownPage> {
  const variables = { project: String(project.id), hook, id };
  const { url, delivery } = (await visit.ask(single, variables)).hook;
  if (!delivery) throw pathNotFound();
  const { event, state, attempts, responseStatus, duration, createdAt } = delivery;
  const address = addressIn(visit, project, 'hooks', String(hook));
  const main = html`<p><a href="${address}/edit">Back to the webhook</a></p>
<div class="bar"><h1>${event} ${deliveryMark(state)}</h1>
${state !== 'pending' && actionForm(visit, { address: `${address}/deliveries/${id}/resend`, label: 'Resend', icon: 'sync' })}</div>
<dl class="traits">
<dt>URL</dt><dd>${url}</dd>
<dt>Created</dt><dd>${moment(createdAt)}</dd>
<dt>Attempts</dt><dd>${attempts}</dd>
${duration !== null && html`<dt>Duration</dt><dd>${duration.toFixed(2)} s</dd>`}
${responseStatus !== null && html`<dt>Status</dt><dd>${responseStatus}</dd>`}
</dl>
${delivery.error !== null && html`<p class="alert">${delivery.error}</p>`}
<h2>Request</h2>
<pre class="plain" tabindex="0" aria-label="Request body" role="region">${bodyText(delivery.requestBody)}</pre>
${
  delivery.responseBody !== null &&
  html`<h2>Response</h2>
<pre class="plain" tabindex="0" aria-label="Response body" role="region">${delivery.responseBody.slice(0, longest)}</pre>`
}`;
  return projectPage(visit, project, 'hooks', `Delivery ${id}`, main);
}

/** Characters of a body that the page shows. */
const longest = 65_536;

/** Indented JSON; long bodies as they are sent, cut off. */
const bodyText = (body: string): string =>
  body.length > longest ? `${body.slice(0, longest)}\n…` : indented(body);

function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
