/** The events of the level `custom`, as GraphQL and the column `events` name them, with what happened. */
export const notificationEvents = {
  newNote: 'A user writes a note.',
  newIssue: 'An issue is created.',
  reopenIssue: 'An issue is reopened.',
  closeIssue: 'An issue is closed.',
  reassignIssue: 'The assignees of an issue change.',
  issueDue: 'An issue is due tomorrow.',
  newMergeRequest: 'A merge request is created.',
  pushToMergeRequest: 'A user pushes to the source branch of a merge request.',
  reopenMergeRequest: 'A merge request is reopened.',
  closeMergeRequest: 'A merge request is closed.',
  reassignMergeRequest: 'The assignee of a merge request changes.',
  mergeMergeRequest: 'A merge request is merged.',
  mergeWhenPipelineSucceeds: 'A merge request is set to be merged when its pipeline succeeds.',
  failedPipeline: 'A pipeline fails.',
  fixedPipeline: 'A pipeline succeeds after one that failed.',
  successPipeline: 'A pipeline succeeds.',
  movedProject: 'A project moves to another group.',
} as const satisfies Readonly<Record<string, string>>;

export type NotificationEvent = keyof typeof notificationEvents;

export const notificationEventNames = Object.keys(
  notificationEvents,
) as readonly NotificationEvent[];

/** Whether each event is chosen. */
export type EventChoice = Readonly<Record<NotificationEvent, boolean>>;

/** The choice that the names in the column stand for. */
export const choiceOf = (names: readonly string[]): EventChoice =>
  Object.fromEntries(
    notificationEventNames.map((name) => [name, names.includes(name)]),
  ) as EventChoice;

/** Changes of a choice; an event that is null or missing keeps its value. */
export type EventChanges = { readonly [Name in NotificationEvent]?: boolean | null | undefined };

/** The names in the column after changes. */
export const changedNames = (
  names: readonly string[],
  changes: EventChanges,
): readonly NotificationEvent[] =>
  notificationEventNames.filter((name) => changes[name] ?? names.includes(name));
