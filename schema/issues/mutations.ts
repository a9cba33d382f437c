import { builder } from '../kernel/builder.ts';
import { walkCost } from '../kernel/cost.ts';
import { createIssue } from './create.ts';
import { moveIssue } from './move.ts';
import { reloadIssue } from './reload.ts';
import { removeIssue } from './remove.ts';
import { Issue } from './types.ts';
import { updateIssue } from './update.ts';

const NewIssueInput = builder.inputType('NewIssue', {
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

const IssueChangeInput = builder.inputType('IssueChange', {
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

const iidArgs = builder.args((t) => ({
  project: t.id({ required: true }),
  iid: t.int({ required: true }),
}));

builder.mutationFields((t) => ({
  createIssue: t.prismaField({
    type: Issue,
    args: {
      project: t.arg.id({ required: true }),
      issue: t.arg({ type: NewIssueInput, required: true }),
    },
    resolve: async (query, _root, { project, issue }, ctx) => {
      const id = await createIssue(project, issue, ctx);
      return reloadIssue(query, id, ctx);
    },
  }),
  updateIssue: t.prismaField({
    type: Issue,
    args: { ...iidArgs, change: t.arg({ type: IssueChangeInput, required: true }) },
    resolve: async (query, _root, { project, iid, change }, ctx) => {
      const id = await updateIssue(project, iid, change, ctx);
      return reloadIssue(query, id, ctx);
    },
  }),
  deleteIssue: t.boolean({
    args: iidArgs,
    resolve: async (_root, { project, iid }, ctx) => {
      await removeIssue(project, iid, ctx);
      return true;
    },
  }),
  moveIssue: t.prismaField({
    type: Issue,
    complexity: walkCost,
    args: { ...iidArgs, to: t.arg.id({ required: true }) },
    resolve: async (query, _root, { project, iid, to }, ctx) => {
      const id = await moveIssue(project, iid, to, ctx);
      return reloadIssue(query, id, ctx);
    },
  }),
}));
