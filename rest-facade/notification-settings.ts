import { z } from 'zod';
import { graphql, type ResultOf } from '../schema/client/graphql.ts';
import { camelCased } from './kernel/case.ts';
import { p, ref } from './kernel/params.ts';
import { route } from './kernel/route.ts';
import { entity, s, selected, shaped } from './kernel/shape.ts';

const eventFields = graphql(
  `fragment NotificationEventFields on NotificationEvents {
    new_note: newNote new_issue: newIssue reopen_issue: reopenIssue close_issue: closeIssue
    reassign_issue: reassignIssue issue_due: issueDue new_merge_request: newMergeRequest
    push_to_merge_request: pushToMergeRequest reopen_merge_request: reopenMergeRequest
    close_merge_request: closeMergeRequest reassign_merge_request: reassignMergeRequest
    merge_merge_request: mergeMergeRequest
    merge_when_pipeline_succeeds: mergeWhenPipelineSucceeds failed_pipeline: failedPipeline
    fixed_pipeline: fixedPipeline success_pipeline: successPipeline moved_project: movedProject
  }`,
);

const fields = graphql(
  `fragment NotificationSettingsFields on NotificationSettings {
    level events { ...NotificationEventFields }
  }`,
  [eventFields],
);

const ownFields = graphql(
  `fragment GlobalNotificationSettingsFields on GlobalNotificationSettings {
    level notification_email: email events { ...NotificationEventFields }
  }`,
  [eventFields],
);

const levels = ['disabled', 'participating', 'watch', 'global', 'mention', 'custom'] as const;

const eventParams = {
  new_note: p.flag().optional(),
  new_issue: p.flag().optional(),
  reopen_issue: p.flag().optional(),
  close_issue: p.flag().optional(),
  reassign_issue: p.flag().optional(),
  issue_due: p.flag().optional(),
  new_merge_request: p.flag().optional(),
  push_to_merge_request: p.flag().optional(),
  reopen_merge_request: p.flag().optional(),
  close_merge_request: p.flag().optional(),
  reassign_merge_request: p.flag().optional(),
  merge_merge_request: p.flag().optional(),
  merge_when_pipeline_succeeds: p.flag().optional(),
  failed_pipeline: p.flag().optional(),
  fixed_pipeline: p.flag().optional(),
  success_pipeline: p.flag().optional(),
  moved_project: p.flag().optional(),
};

const changeParams = { level: p.choice(levels).optional(), ...eventParams };

const shownFields = {
  level: s.choice(levels).describe('Of how much the caller wants to be notified.'),
  events: selected(eventFields)
    .optional()
    .describe('Whether the caller wants to be notified of each event; with the level `custom`.'),
};

type Settings = ResultOf<typeof fields>;

const ofSource = shaped(
  entity('NotificationSettings', shownFields),
  ({ level, events }: Settings) => ({ level, ...(level === 'custom' && { events }) }),
);

const own = shaped(
  entity('GlobalNotificationSettings', {
    ...shownFields,
    notification_email: s.text().describe('The address for e-mail.'),
  }),
  ({ notification_email, ...settings }: ResultOf<typeof ownFields>) => ({
    ...ofSource(settings),
    notification_email,
  }),
);

const kept = 'The settings are stored and shown; the service sends no e-mail.';
const access = 'signed in' as const;

const showOwn = route({
  method: 'get',
  path: '/notification_settings',
  access,
  description: kept,
  params: z.object({}),
  document: graphql(
    `query NotificationSettings {
      result: notificationSettings { ...GlobalNotificationSettingsFields }
    }`,
    [ownFields],
  ),
  reshape: own,
});

const updateOwn = route({
  method: 'put',
  path: '/notification_settings',
  access,
  description: kept,
  params: z.object({ ...changeParams, notification_email: p.text().optional() }),
  document: graphql(
    `mutation UpdateNotificationSettings(
      $level: NotificationLevel, $events: NotificationEventsInput, $notification_email: String
    ) {
      result: updateNotificationSettings(
        level: $level, events: $events, email: $notification_email
      ) { ...GlobalNotificationSettingsFields }
    }`,
    [ownFields],
  ),
  variables: ({ level, notification_email, ...events }) => ({
    level,
    notification_email,
    events: camelCased(events),
  }),
  faultNames: { email: 'notification_email' },
  reshape: own,
});

/** The two endpoints of groups, or of projects. */
const ofEach = (
  path: '/groups/:id/notification_settings' | '/projects/:id/notification_settings',
  sourceOf: (id: string) => { readonly group: string } | { readonly project: string },
) => [
  route({
    method: 'get',
    path,
    access,
    description: kept,
    params: z.object(ref),
    document: graphql(
      `query NotificationSettingsOf($source: GroupOrProject!) {
        result: notificationSettingsOf(source: $source) { ...NotificationSettingsFields }
      }`,
      [fields],
    ),
    variables: ({ id }) => ({ source: sourceOf(id) }),
    reshape: ofSource,
  }),
  route({
    method: 'put',
    path,
    access,
    description: kept,
    params: z.object({ ...ref, ...changeParams }),
    document: graphql(
      `mutation OverrideNotificationSettings(
        $source: GroupOrProject!, $level: NotificationLevel, $events: NotificationEventsInput
      ) {
        result: overrideNotificationSettings(source: $source, level: $level, events: $events) {
          ...NotificationSettingsFields
        }
      }`,
      [fields],
    ),
    variables: ({ id, level, ...events }) => ({
      source: sourceOf(id),
      level,
      events: camelCased(events),
    }),
    reshape: ofSource,
  }),
];

export const notificationSettings = [
  showOwn,
  updateOwn,
  ...ofEach('/groups/:id/notification_settings', (group) => ({ group })),
  ...ofEach('/projects/:id/notification_settings', (project) => ({ project })),
];
