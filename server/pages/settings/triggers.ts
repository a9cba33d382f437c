import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import { pathNotFound } from '../../../schema/kernel/errors.ts';
import type { Project } from '../frame/project-head.ts';
import { numberIn, splitFirst } from '../kernel/addresses.ts';
import type { Fault } from '../kernel/fault.ts';
import { formAlert } from '../kernel/form-alert.ts';
import { faultText } from '../kernel/form-faults.ts';
import { field, formOf } from '../kernel/forms.ts';
import { type Html, html } from '../kernel/html.ts';
import { entries, pageOf, pager } from '../kernel/listing.ts';
import type { Visit } from '../kernel/page.ts';
import { actionForm, confirmedForm, shownOnce } from '../kernel/parts.ts';
import { person, personFields } from '../kernel/people.ts';
import { when } from '../kernel/times.ts';

export const triggerFields = graphql(
  `fragment TriggerSettings on Trigger {
    id token description lastUsedAt owner { ...PersonFields }
  }`,
  [personFields],
);

type Trigger = ResultOf<typeof triggerFields>;

const create = graphql(`
  mutation AddTrigger($project: ID!, $description: String!) {
    createTrigger(project: $project, description: $description) { token }
  }
`);

const take = graphql(`
  mutation TakeShownTrigger($project: ID!, $id: Int!) {
    takeTriggerOwnership(project: $project, id: $id) { id }
  }
`);

const revoke = graphql(`
  mutation RevokeTrigger($project: ID!, $id: Int!) { deleteTrigger(project: $project, id: $id) }
`);

interface Listed {
  readonly total: number;
  readonly nodes: readonly Trigger[];
}

/** Triggers on a page. */
export const triggersPerPage = 50;

/** The pipeline triggers of a project, and the form for another one. */
export function triggers(
  visit: Visit,
  address: string,
  { total, nodes }: Listed,
  fault: Fault | null,
): Html {
  return html`<section aria-labelledby="triggers">
<h2 id="triggers">Pipeline triggers</h2>
<p class="quiet">Tokens with which other services create pipelines in the name of their owner.</p>
${entries(
  nodes.map((trigger) => row(visit, address, trigger)),
  'There are no triggers.',
)}
${pager({ address, page: pageOf(visit, 'triggers'), total, size: triggersPerPage, parameter: 'triggers', label: 'Pages of triggers' })}
<h3>Add a trigger</h3>
${formAlert(fault, ['description'])}
${formOf(
  visit,
  { address: `${address}/triggers`, submit: 'Add trigger' },
  field({
    name: 'description',
    label: 'Description',
    value: fault ? (visit.form.description ?? '') : '',
    fault: faultText(fault?.fields ?? {}, 'description', 'Description'),
  }),
)}
</section>`;
}

function row(visit: Visit, address: string, trigger: Trigger): Html {
  const { id, token, description, lastUsedAt, owner } = trigger;
  const name = description || `trigger #${id}`;
  const to = (step: string) => `${address}/triggers/${id}/${step}`;
  const isOwn = owner?.username === visit.viewer?.username;
  return html`<div class="row"><span class="name">${name}</span> <code>${token.slice(0, 4)}…</code>
${!isOwn && actionForm(visit, { address: to('take_ownership'), label: 'Take ownership', about: `of ${name}`, look: 'small' })}</div>
<span class="quiet">${person(visit, owner)} · ${lastUsedAt === null ? 'never used' : html`last used ${when(lastUsedAt)}`}</span>
${confirmedForm(
  visit,
  { address: to('revoke'), label: 'Revoke', about: name },
  'Services with this token can no longer create pipelines.',
)}`;
}

/** Creates a trigger; returns its token, which is shown once, with an example. */
export async function addTrigger(visit: Visit, project: Project): Promise<Html> {
  const { token } = (
    await visit.ask(create, {
      project: String(project.id),
      description: visit.form.description ?? '',
    })
  ).createTrigger;
  const root = project.httpUrlToRepo.slice(0, -`/${project.fullPath}.git`.length);
  return html`${shownOnce('Your new trigger token', token)}
<p>Create a pipeline with it:</p>
<pre class="plain">curl -X POST -F token=TOKEN -F ref=${project.defaultBranch ?? 'master'} ${root}/api/v4/projects/${project.id}/trigger/pipeline</pre>`;
}

/** Handles the forms of the triggers in the list. */
export function submitTrigger(visit: Visit, { id }: Project, rest: string): Promise<unknown> {
  const [number, action] = splitFirst(rest);
  const place = { project: String(id), id: numberIn(number) };
  if (action === 'take_ownership') return visit.ask(take, place);
  if (action === 'revoke') return visit.ask(revoke, place);
  throw pathNotFound();
}
