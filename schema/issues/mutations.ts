import { addIssuableFields, iidArgs } from '../issuables/fields.ts';
import { issueKind } from '../issuables/kinds.ts';
import { builder } from '../kernel/builder.ts';
import { walkCost } from '../kernel/cost.ts';
import { done } from '../kernel/results.ts';
import { createIssue } from './create.ts';
import { findIssue, reloadIssue } from './find.ts';
import { IssueChangeInput, NewIssueInput } from './inputs.ts';
import { moveIssue } from './move.ts';
import { removeIssue } from './remove.ts';
import { changeIssueTime } from './time.ts';
import { Issue } from './types.ts';
import { updateIssue } from './update.ts';

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
    resolve: (_root, { project, iid }, ctx) => done(removeIssue(project, iid, ctx)),
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

addIssuableFields({
  kind: issueKind,
  type: Issue,
  find: findIssue,
  reload: reloadIssue,
  changeTime: changeIssueTime,
});
