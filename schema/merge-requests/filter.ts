import { Prisma } from '../../prisma/client.ts';
import { issuableFilterTypes, type ListArgs, listingOf } from '../issuables/filter.ts';
import { mergeRequestKind } from '../issuables/kinds.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import type { Parent } from '../listing/listing.ts';
import { pageOfRecords } from '../listing/records.ts';
import { type MergeRequestRecord, MergeRequestState } from './types.ts';

const { filterFields, orderArgs } = issuableFilterTypes('MergeRequest');

const MergeRequestFilter = builder.inputType('MergeRequestFilter', {
  description: 'Which merge requests a listing has: those that match all fields.',
  fields: (t) => ({
    ...filterFields(t),
    state: t.field({
      type: MergeRequestState,
      description: 'Only merge requests in this state.',
    }),
    sourceBranch: t.string({ description: 'Only merge requests from the branch of this name.' }),
    targetBranch: t.string({ description: 'Only merge requests into the branch of this name.' }),
  }),
});

/** The arguments of every listing of merge requests. */
export const mergeRequestListArgs = {
  ...orderArgs,
  ...builder.args((t) => ({
    filter: t.field({
      type: MergeRequestFilter,
      description: 'Which merge requests the listing has.',
    }),
  })),
};

export type MergeRequestListArgs = ListArgs<typeof MergeRequestFilter.$inferInput>;

/**
 * A page of the merge requests that match the filter and `scope`, which restricts them to visible
 * merge requests (visible.ts); of an edge those of `parent`.
 */
export function listMergeRequests(
  args: MergeRequestListArgs,
  ctx: Context,
  scope: readonly Prisma.Sql[],
  parent?: Parent,
) {
  const { sourceBranch, targetBranch } = args.filter ?? {};
  const conditions = [
    ...scope,
    ...(sourceBranch ? [Prisma.sql`source_branch = ${sourceBranch}`] : []),
    ...(targetBranch ? [Prisma.sql`target_branch = ${targetBranch}`] : []),
  ];
  return pageOfRecords<MergeRequestRecord>(ctx, {
    ...listingOf(mergeRequestKind, args, ctx.viewer, conditions),
    ...(parent && { parent }),
  });
}
