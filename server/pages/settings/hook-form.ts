import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import type { Fault } from '../kernel/fault.ts';
import { formAlert } from '../kernel/form-alert.ts';
import { faultText } from '../kernel/form-faults.ts';
import { checkbox, choiceGroup, field, formOf } from '../kernel/forms.ts';
import { type Html, html } from '../kernel/html.ts';
import type { Visit } from '../kernel/page.ts';

/** The fields of a webhook's form. */
export const hookFields = graphql(`
  fragment HookSettings on Hook {
    id url enableSslVerification
    pushEvents tagPushEvents issuesEvents confidentialIssuesEvents mergeRequestsEvents noteEvents
    pipelineEvents jobEvents wikiPageEvents
  }
`);

export type Hook = ResultOf<typeof hookFields>;

/** The events of which a webhook of a project may be notified. */
export const hookEvents = [
  ['pushEvents', 'Push', 'Commits are pushed to a branch.'],
  ['tagPushEvents', 'Tag push', 'A tag is created or deleted.'],
  ['issuesEvents', 'Issues', 'An issue is created, changed or closed.'],
  ['confidentialIssuesEvents', 'Confidential issues', 'The same for confidential issues.'],
  ['mergeRequestsEvents', 'Merge requests', 'A merge request is created, changed or merged.'],
  ['noteEvents', 'Comments', 'A user comments.'],
  ['pipelineEvents', 'Pipelines', 'The status of a pipeline changes.'],
  ['jobEvents', 'Jobs', 'The status of a job changes.'],
  ['wikiPageEvents', 'Wiki pages', 'A wiki page is created or changed.'],
] as const;

type HookEvent = (typeof hookEvents)[number][0];

/** The events of a webhook. */
export const eventsOf = (hook: Pick<Hook, HookEvent>): readonly HookEvent[] =>
  hookEvents.map(([name]) => name).filter((name) => hook[name]);

interface HookForm {
  readonly address: string;
  readonly submit: string;
  readonly cancel?: string;
  /** The stored webhook; absent for a new one. */
  readonly hook?: Hook;
  readonly fault: Fault | null;
}

/** The form to create or change a webhook. */
export function hookForm(visit: Visit, { hook, fault, ...target }: HookForm): Html {
  const { form } = visit;
  const input = fault
    ? {
        url: form.url ?? '',
        isVerified: form.ssl === '1',
        events: visit.formList('events'),
      }
    : {
        url: hook?.url ?? '',
        isVerified: hook?.enableSslVerification ?? true,
        events: hook ? eventsOf(hook) : ['pushEvents'],
      };
  return html`${formAlert(fault, ['url', 'token'])}
${formOf(
  visit,
  target,
  html`${field({
    name: 'url',
    label: 'URL',
    type: 'url',
    value: input.url,
    isRequired: true,
    placeholder: 'https://ci.example.com/hook',
    fault: faultText(fault?.fields ?? {}, 'url', 'URL'),
  })}
${field({
  name: 'token',
  label: 'Secret token',
  type: 'password',
  autocomplete: 'new-password',
  hint: html`Sent in the header <code>X-Gitlab-Token</code>.${hook && ' An empty field keeps the current one; another URL deletes it.'}`,
  fault: faultText(fault?.fields ?? {}, 'token', 'Secret token'),
})}
${choiceGroup({
  name: 'events[]',
  label: 'Events',
  type: 'checkbox',
  chosen: input.events,
  options: hookEvents.map(([value, label, hint]) => ({ value, label, hint })),
})}
${checkbox({
  name: 'ssl',
  label: 'Verify the TLS certificate',
  isChecked: input.isVerified,
})}`,
)}`;
}

/** The settings that the form was sent with. */
export function hookInput(visit: Visit) {
  const { url = '', token = '', ssl } = visit.form;
  const chosen = new Set(visit.formList('events'));
  const events = Object.fromEntries(hookEvents.map(([name]) => [name, chosen.has(name)]));
  return {
    ...(events as Record<HookEvent, boolean>),
    url: url.trim(),
    ...(token !== '' && { token }),
    enableSslVerification: ssl === '1',
  };
}
