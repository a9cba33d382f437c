import { addIssuableActions } from '../issuables/actions.ts';
import { addIssuableFields, iidArgs } from '../issuables/fields.ts';
import { issueKind } from '../issuables/kinds.ts';
import { builder } from '../kernel/builder.ts';
import { walkCost } from '../kernel/cost.ts';
import { storedRecord } from '../listing/records.ts';
import { createIssue } from './create.ts';
import { findIssue } from './find.ts';
import { IssueChangeInput, NewIssueInput } from './inputs.ts';
import { moveIssue } from './move.ts';
import { byIssue } from './node.ts';
import { removeIssue } from './remove.ts';
import { changeIssueTime } from './time.ts';
import { Issue } from './types.ts';
import { updateIssue } from './update.ts';

builder.mutationFields((t) => ({
  createIssue: t.prismaField({
    type: Issue,
    description:
      'Creates an issue. Signed-in users who see the project may do it if its issues are enabled.',
    args: {
      project: t.arg.id({ required: true, description: 'The project.' }),
      issue: t.arg({ type: NewIssueInput, required: true, description: 'The new issue.' }),
    },
    resolve: async (query, _root, { project, issue }, ctx) => {
      const id = await createIssue(project, issue, ctx);
      return storedRecord(ctx, 'issue', id, query);
    },
  }),
  updateIssue: t.prismaField({
    extensions: byIssue,
    type: Issue,
    description:
      'Changes an issue; absent fields stay as they are. Reporters, the author and the assignees may do it.',
    args: {
      ...iidArgs,
      change: t.arg({ type: IssueChangeInput, required: true, description: 'The changes.' }),
    },
    resolve: async (query, _root, { project, iid, change }, ctx) => {
      const id = await updateIssue(project, iid, change, ctx);
      return storedRecord(ctx, 'issue', id, query);
    },
  }),
  deleteIssue: t.id({
    extensions: { ...byIssue, identifies: 'Issue' },
    description: 'Deletes an issue with its notes. Requires the access level OWNER.',
    args: iidArgs,
    resolve: (_root, { project, iid }, ctx) => removeIssue(project, iid, ctx),
  }),
  moveIssue: t.prismaField({
    type: Issue,
    complexity: walkCost,
    extensions: {
      ...byIssue,
      payloadDescription: 'The copy in the other project; null if it failed.',
    },
    description:
      'Moves an issue to another project: creates a copy there and closes the issue. Requires the access level REPORTER in both projects.',
    args: {
      ...iidArgs,
      to: t.arg.id({
        required: true,
        description: 'The project that gets the issue.',
      }),
    },
    resolve: async (query, _root, { project, iid, to }, ctx) => {
      const id = await moveIssue(project, iid, to, ctx);
      return storedRecord(ctx, 'issue', id, query);
    },
  }),
}));

addIssuableFields(issueKind, Issue);
addIssuableActions({
  extensions: byIssue,
  kind: issueKind,
  type: Issue,
  find: findIssue,
  changeTime: changeIssueTime,
});
