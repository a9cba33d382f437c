import { graphql, type VariablesOf } from '../../../schema/client/graphql.ts';
import { profilePage } from '../frame/profile-menu.ts';
import { type Fault, orFault } from '../kernel/fault.ts';
import { faultAlert } from '../kernel/fault-alert.ts';
import { faultText } from '../kernel/form-faults.ts';
import { choiceGroup, formOf, select } from '../kernel/forms.ts';
import { html } from '../kernel/html.ts';
import type { Answer, Page, ShownPage, Visit } from '../kernel/page.ts';
import { saved } from '../kernel/parts.ts';

const Notifications = graphql(`
  query OwnNotifications {
    viewer { email emails(perPage: 100) { nodes { email } } }
    notificationSettings {
      level
      email
      events {
        newNote newIssue reopenIssue closeIssue reassignIssue issueDue newMergeRequest
        pushToMergeRequest reopenMergeRequest closeMergeRequest reassignMergeRequest
        mergeMergeRequest mergeWhenPipelineSucceeds failedPipeline fixedPipeline successPipeline
        movedProject
      }
    }
  }
`);

const Update = graphql(`
  mutation UpdateNotifications(
    $level: NotificationLevel, $events: NotificationEventsInput, $email: String
  ) {
    updateNotificationSettings(level: $level, events: $events, email: $email) { level }
  }
`);

const levels = {
  watch: ['Watch', 'All activity in your projects'],
  participating: ['Participate', 'What you take part in, and what mentions you'],
  mention: ['On mention', 'Only what mentions you'],
  custom: ['Custom', 'The events chosen below'],
  disabled: ['Disabled', 'Nothing'],
} as const;

const events: Readonly<Record<keyof NonNullable<VariablesOf<typeof Update>['events']>, string>> = {
  newNote: 'A comment is written',
  newIssue: 'An issue is created',
  reopenIssue: 'An issue is reopened',
  closeIssue: 'An issue is closed',
  reassignIssue: 'The assignees of an issue change',
  issueDue: 'An issue is due tomorrow',
  newMergeRequest: 'A merge request is created',
  pushToMergeRequest: 'Commits are pushed to a merge request',
  reopenMergeRequest: 'A merge request is reopened',
  closeMergeRequest: 'A merge request is closed',
  reassignMergeRequest: 'The assignee of a merge request changes',
  mergeMergeRequest: 'A merge request is merged',
  mergeWhenPipelineSucceeds: 'A merge request is set to merge when its pipeline succeeds',
  failedPipeline: 'A pipeline fails',
  fixedPipeline: 'A pipeline succeeds after one that failed',
  successPipeline: 'A pipeline succeeds',
  movedProject: 'A project moves to another group',
};

const path = '/profile/notifications';

async function notificationsPage(visit: Visit, fault?: Fault): Promise<ShownPage> {
  const { viewer, notificationSettings: stored } = await visit.ask(Notifications, {});
  const addresses = [viewer.email ?? '', ...(viewer.emails?.nodes ?? []).map(({ email }) => email)];
  const chosen = Object.entries(stored.events)
    .filter(([, isChosen]) => isChosen)
    .map(([name]) => name);
  const faults = fault?.fields ?? {};
  return profilePage(visit, {
    section: path,
    title: 'Notifications',
    status: fault?.status,
    main: html`<p>Which changes you want to hear of. Groups and projects can have settings of their own.
The settings are stored for clients; this server sends no e-mail.</p>
${formOf(
  visit,
  { address: visit.url(path), submit: 'Save changes' },
  html`${faultAlert(fault, ['email'])}
${choiceGroup({
  name: 'level',
  label: 'Level',
  chosen: [fault ? (visit.form.level ?? '') : stored.level],
  options: Object.entries(levels).map(([value, [label, hint]]) => ({ value, label, hint })),
})}
${choiceGroup({
  name: 'events[]',
  label: 'Events of the level Custom',
  type: 'checkbox',
  chosen: fault ? visit.formList('events') : chosen,
  options: Object.entries(events).map(([value, label]) => ({ value, label })),
})}
${select({
  name: 'email',
  label: 'E-mail address',
  value: fault ? (visit.form.email ?? '') : stored.email,
  options: addresses.map((address) => [address, address] as const),
  fault: faultText(faults, 'email', 'E-mail address'),
})}`,
)}`,
  });
}

function update(visit: Visit): Promise<Answer> | Answer {
  const { form } = visit;
  const level = (Object.keys(levels) as (keyof typeof levels)[]).find(
    (name) => name === form.level,
  );
  if (!level) {
    const fields = { level: ['is not included in the list'] };
    return notificationsPage(visit, { status: 422, text: null, fields });
  }
  const sent = visit.formList('events');
  return orFault(
    visit,
    async () => {
      await visit.ask(Update, {
        level,
        email: form.email || null,
        events: Object.fromEntries(Object.keys(events).map((name) => [name, sent.includes(name)])),
      });
      return saved(visit.url(path));
    },
    (fault) => notificationsPage(visit, fault),
  );
}

const access = 'signed in';

/** Of what the user wants to be notified. */
export const notificationPages: readonly Page[] = [
  { method: 'get', path, access, answer: (visit) => notificationsPage(visit) },
  { method: 'post', path, access, answer: update },
];
