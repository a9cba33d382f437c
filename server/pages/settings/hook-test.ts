import { graphql } from '../../../schema/client/graphql.ts';
import { addressIn } from '../frame/address-in.ts';
import type { Project } from '../frame/project-head.ts';
import { type Fault, orFault } from '../kernel/fault.ts';
import { formAlert } from '../kernel/form-alert.ts';
import { faultText } from '../kernel/form-faults.ts';
import { formOf, select } from '../kernel/forms.ts';
import { type Html, html } from '../kernel/html.ts';
import type { Answer, Visit } from '../kernel/page.ts';

const send = graphql(`
  mutation TestShownHook($project: ID!, $id: Int!, $event: HookTestEvent!) {
    testProjectHook(project: $project, id: $id, event: $event) { id }
  }
`);

const events = [
  ['push', 'Push'],
  ['issue', 'Issue'],
  ['merge_request', 'Merge request'],
  ['pipeline', 'Pipeline'],
  ['job', 'Job'],
] as const;

/** The form that sends a test event. */
export const testForm = (visit: Visit, address: string, fault: Fault | null): Html =>
  html`<section aria-labelledby="test">
<h2 id="test">Test</h2>
<p class="quiet">Sends an event made of the newest records of the project, whether the webhook subscribes to it or not.</p>
${formAlert(fault, ['event'])}
${formOf(
  visit,
  { address: `${address}/test`, submit: 'Send test event' },
  select({
    name: 'event',
    label: 'Event',
    value: visit.form.event ?? 'push',
    options: events,
    fault: faultText(fault?.fields ?? {}, 'event', 'This event'),
  }),
)}
</section>`;

/** Sends a test event; `again` shows the page with the errors. */
export function submitTest(
  visit: Visit,
  project: Project,
  id: number,
  again: (fault: Fault) => Promise<Answer>,
): Promise<Answer> {
  const [event] = events.find(([name]) => name === visit.form.event) ?? events[0];
  return orFault(
    visit,
    async () => {
      await visit.ask(send, { project: String(project.id), id, event });
      const address = addressIn(visit, project, 'hooks', String(id), 'edit');
      return { redirect: `${address}?sent=1#deliveries` };
    },
    again,
  );
}
