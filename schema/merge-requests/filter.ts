import { Prisma } from '../../prisma/client.ts';
import { issuableFilterTypes, type ListArgs, listingOf } from '../issuables/filter.ts';
import { mergeRequestKind } from '../issuables/kinds.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import type { Parent } from '../listing/listing.ts';
import { mergeRequestPage } from './rows.ts';
import { MergeRequestState } from './types.ts';

const { filterFields, orderArgs } = issuableFilterTypes('MergeRequest');

const MergeRequestFilter = builder.inputType('MergeRequestFilter', {
  fields: (t) => ({
    ...filterFields(t),
    state: t.field({ type: MergeRequestState }),
    sourceBranch: t.string(),
    targetBranch: t.string(),
  }),
});

/** The arguments of every listing of merge requests. */
export const mergeRequestListArgs = {
  ...orderArgs,
  ...builder.args((t) => ({ filter: t.field({ type: MergeRequestFilter }) })),
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
  return mergeRequestPage(ctx, {
    ...listingOf(mergeRequestKind, args, ctx.viewer, conditions),
    ...(parent && { parent }),
  });
}
