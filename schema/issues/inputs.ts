import { builder } from '../kernel/builder.ts';

export const NewIssueInput = builder.inputType('NewIssue', {
  fields: (t) => ({
    title: t.string({ required: true }),
    description: t.string(),
    isConfidential: t.boolean(),
    dueDate: t.field({ type: 'Date' }),
    milestoneId: t.int(),
    assigneeIds: t.intList(),
    /** Names; labels that do not exist are created. */
    labels: t.stringList(),
    /** Owners only. */
    createdAt: t.field({ type: 'DateTime' }),
  }),
});

const IssueStateEvent = builder.enumType('IssueStateEvent', {
  values: ['close', 'reopen'] as const,
});

export const IssueChangeInput = builder.inputType('IssueChange', {
  description: 'What is left out stays as it is; null takes a date or milestone away.',
  fields: (t) => ({
    title: t.string(),
    description: t.string(),
    stateEvent: t.field({ type: IssueStateEvent }),
    isConfidential: t.boolean(),
    isDiscussionLocked: t.boolean(),
    dueDate: t.field({ type: 'Date' }),
    milestoneId: t.int(),
    assigneeIds: t.intList(),
    /** The names of all labels afterwards; labels that do not exist are created. */
    labels: t.stringList(),
    addLabels: t.stringList(),
    removeLabels: t.stringList(),
    /** Owners only, like `updatedAt`. */
    createdAt: t.field({ type: 'DateTime' }),
    updatedAt: t.field({ type: 'DateTime' }),
  }),
});

export type NewIssue = typeof NewIssueInput.$inferInput;
export type IssueChange = typeof IssueChangeInput.$inferInput;
