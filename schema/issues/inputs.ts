import { builder } from '../kernel/builder.ts';

export const NewIssueInput = builder.inputType('NewIssue', {
  fields: (t) => ({
    title: t.string({ required: true, description: 'The title.' }),
    description: t.string({ description: 'The text in Markdown; null clears it.' }),
    isConfidential: t.boolean({
      description: 'Whether only reporters, the author and the assignees see the issue.',
    }),
    dueDate: t.field({
      type: 'Date',
      description: 'The day by which the issue is due; null for none.',
    }),
    milestoneId: t.int({ description: 'The id of the milestone; null for none. Reporters only.' }),
    assigneeIds: t.intList({ description: 'The ids of the assigned users. Reporters only.' }),
    labels: t.stringList({
      description: 'The names of the labels; those that do not exist are created. Reporters only.',
    }),
    createdAt: t.field({
      type: 'DateTime',
      description: 'The time of creation, for imports. Owners only.',
    }),
  }),
});

const IssueStateEvent = builder.enumType('IssueStateEvent', {
  description: 'A change of the state of an issue.',
  values: {
    close: { description: 'Closes the issue.' },
    reopen: { description: 'Reopens the issue.' },
  } as const,
});

export const IssueChangeInput = builder.inputType('IssueChange', {
  description: 'What is left out stays as it is; null takes a date or milestone away.',
  fields: (t) => ({
    title: t.string({ description: 'The title.' }),
    description: t.string({ description: 'The text in Markdown; null clears it.' }),
    stateEvent: t.field({ type: IssueStateEvent, description: 'Closes or reopens the issue.' }),
    isConfidential: t.boolean({
      description: 'Whether only reporters, the author and the assignees see the issue.',
    }),
    isDiscussionLocked: t.boolean({ description: 'Whether only members may write notes.' }),
    dueDate: t.field({
      type: 'Date',
      description: 'The day by which the issue is due; null for none.',
    }),
    milestoneId: t.int({ description: 'The id of the milestone; null for none. Reporters only.' }),
    assigneeIds: t.intList({ description: 'The ids of the assigned users. Reporters only.' }),
    labels: t.stringList({
      description:
        'The names of all labels afterwards; those that do not exist are created. Reporters only.',
    }),
    addLabels: t.stringList({
      description: 'The names of labels to add; those that do not exist are created.',
    }),
    removeLabels: t.stringList({ description: 'The names of labels to remove.' }),
    createdAt: t.field({
      type: 'DateTime',
      description: 'The time of creation, for imports. Owners only.',
    }),
    updatedAt: t.field({
      type: 'DateTime',
      description: 'The time of the last change, for imports. Owners only.',
    }),
  }),
});

export type NewIssue = typeof NewIssueInput.$inferInput;
export type IssueChange = typeof IssueChangeInput.$inferInput;
