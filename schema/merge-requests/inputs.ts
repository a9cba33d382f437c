import { builder } from '../kernel/builder.ts';

export const NewMergeRequestInput = builder.inputType('NewMergeRequest', {
  fields: (t) => ({
    title: t.string({ required: true }),
    sourceBranch: t.string({ required: true }),
    targetBranch: t.string({ required: true }),
    /** A project that the source project was forked from; the source project if omitted. */
    targetProject: t.id(),
    description: t.string(),
    assigneeId: t.int(),
    milestoneId: t.int(),
    /** Names; labels that do not exist are created. */
    labels: t.stringList(),
    removesSourceBranch: t.boolean(),
  }),
});

const MergeRequestStateEvent = builder.enumType('MergeRequestStateEvent', {
  values: ['close', 'reopen'] as const,
});

export const MergeRequestChangeInput = builder.inputType('MergeRequestChange', {
  description: 'What is left out stays as it is; null takes a milestone or assignee away.',
  fields: (t) => ({
    title: t.string(),
    description: t.string(),
    targetBranch: t.string(),
    stateEvent: t.field({ type: MergeRequestStateEvent }),
    isDiscussionLocked: t.boolean(),
    removesSourceBranch: t.boolean(),
    assigneeId: t.int(),
    milestoneId: t.int(),
    /** The names of all labels afterwards; labels that do not exist are created. */
    labels: t.stringList(),
  }),
});

export type NewMergeRequest = typeof NewMergeRequestInput.$inferInput;
export type MergeRequestChange = typeof MergeRequestChangeInput.$inferInput;
