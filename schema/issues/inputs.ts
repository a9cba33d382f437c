import { builder, type InputFields } from '../kernel/builder.ts';
import { endingWith } from '../kernel/public.ts';
import { StateEvent } from '../milestones/state-event.ts';

/** What a new issue and a change have in common. */
const details = (t: InputFields) => ({
  description: t.string({
    description: 'The text in Markdown.',
    extensions: endingWith({ updating: 'Null clears it.' }),
  }),
  isConfidential: t.boolean({
    description: 'Whether only reporters, the author and the assignees see the issue.',
  }),
  dueDate: t.field({
    type: 'Date',
    description: 'The day by which the issue is due; null for none.',
  }),
  milestoneId: t.int({
    description:
      'The id of the milestone; null for none. Setting it requires the access level REPORTER or higher.',
  }),
  assigneeIds: t.intList({
    description:
      'The ids of the assigned users. Setting it requires the access level REPORTER or higher.',
  }),
  createdAt: t.field({
    type: 'DateTime',
    description: 'The time of creation, for imports. Setting it requires the access level OWNER.',
  }),
});

export const NewIssueInput = builder.inputType('NewIssue', {
  fields: (t) => ({
    ...details(t),
    title: t.string({ required: true, description: 'The title.' }),
    labels: t.stringList({
      description:
        'The names of the labels; those that do not exist are created. Setting it requires the access level REPORTER or higher.',
    }),
  }),
});

export const IssueChangeInput = builder.inputType('IssueChange', {
  description: 'What is left out stays as it is; null takes a date or milestone away.',
  fields: (t) => ({
    ...details(t),
    title: t.string({ description: 'The title.' }),
    stateEvent: t.field({ type: StateEvent, description: 'Closes or reopens the issue.' }),
    isDiscussionLocked: t.boolean({ description: 'Whether only members may write notes.' }),
    labels: t.stringList({
      description:
        'The names of all labels afterwards; those that do not exist are created. Setting it requires the access level REPORTER or higher.',
    }),
    addLabels: t.stringList({
      description: 'The names of labels to add; those that do not exist are created.',
    }),
    removeLabels: t.stringList({ description: 'The names of labels to remove.' }),
    updatedAt: t.field({
      type: 'DateTime',
      description:
        'The time of the last change, for imports. Setting it requires the access level OWNER.',
    }),
  }),
});

export type NewIssue = typeof NewIssueInput.$inferInput;
export type IssueChange = typeof IssueChangeInput.$inferInput;
