import { iidArgs } from '../issuables/fields.ts';
import { builder } from '../kernel/builder.ts';
import { walkCost } from '../kernel/cost.ts';
import { recordNotFound } from '../kernel/errors.ts';
import { internal } from '../kernel/public.ts';
import { orThrow } from '../kernel/results.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { findMergeRequest } from '../merge-requests/find.ts';
import { listVersions } from './listing.ts';
import { recordVersionsForRead } from './record.ts';
import { MergeRequestVersion, MergeRequestVersionPage } from './types.ts';

builder.queryFields((t) => ({
  mergeRequestVersions: t.field({
    type: MergeRequestVersionPage,
    extensions: internal,
    description: 'The versions of a merge request, the newest first.',
    complexity: (page) => ({ ...listingCost(page), field: walkCost }),
    args: { ...iidArgs, ...pageArgs },
    resolve: async (_root, { project, iid, ...page }, ctx) => {
      const { id } = await findMergeRequest(project, iid, ctx);
      await recordVersionsForRead(id, ctx);
      return listVersions(id, page, ctx);
    },
  }),
  mergeRequestVersion: t.prismaField({
    type: MergeRequestVersion,
    extensions: internal,
    complexity: walkCost,
    args: {
      ...iidArgs,
      id: t.arg.int({ required: true, description: 'The id of the version.' }),
    },
    resolve: async (query, _root, { project, iid, id }, ctx) => {
      const { id: mergeRequestId } = await findMergeRequest(project, iid, ctx);
      await recordVersionsForRead(mergeRequestId, ctx);
      const where = { id, mergeRequestId };
      return orThrow(ctx.db.mergeRequestVersion.findFirst({ ...query, where }), recordNotFound);
    },
  }),
}));
