import { builder } from '../kernel/builder.ts';
import { walkCost } from '../kernel/cost.ts';
import { recordNotFound } from '../kernel/errors.ts';
import { orThrow } from '../kernel/results.ts';
import { updatesOf } from '../kernel/updates.ts';
import { findMergeRequestProject } from './find.ts';
import { byMergeRequest } from './node.ts';
import { showMergeRequest } from './show.ts';
import { MergeRequest } from './types.ts';

builder.subscriptionField('mergeRequestUpdated', (t) =>
  t.prismaField({
    type: MergeRequest,
    extensions: byMergeRequest,
    description:
      'A merge request at once, and after each change of its state, merge status, head commit, target branch, assignee or milestone. Changes in quick succession are one event.',
    complexity: walkCost,
    args: {
      project: t.arg.id({
        required: true,
        description: 'The target project, by id or full path.',
      }),
      iid: t.arg.int({ required: true, description: 'The number within the project.' }),
    },
    subscribe: async (_root, { project: ref, iid }, ctx) => {
      const { id: projectId } = await findMergeRequestProject(ref, ctx);
      const where = { projectId, iid };
      const { id } = await orThrow(
        ctx.db.mergeRequest.findFirst({ where, select: { id: true } }),
        recordNotFound,
      );
      return updatesOf([`merge_request ${id}`], { projectId }, ctx);
    },
    resolve: (query, { projectId }, { iid }, ctx, info) =>
      showMergeRequest(String(projectId), iid, ctx, { query, info }),
  }),
);
