import type { Prisma } from '../../prisma/client.ts';
import {
  type IssuableFilter,
  issuableFilterTypes,
  type ListArgs,
  listingOf,
} from '../issuables/filter.ts';
import { issueKind } from '../issuables/kinds.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import type { Viewer } from '../kernel/viewer.ts';
import type { Parent } from '../listing/listing.ts';
import { pageOfRecords } from '../listing/records.ts';
import { type IssueRecord, IssueState } from './types.ts';

const { filterFields, orderArgs } = issuableFilterTypes('Issue');

const IssueFilter = builder.inputType('IssueFilter', {
  description: 'Which issues a listing has: those that match all fields.',
  fields: (t) => ({
    ...filterFields(t),
    state: t.field({ type: IssueState, description: 'Only issues in this state.' }),
  }),
});

/** The arguments of every listing of issues. */
export const issueListArgs = {
  ...orderArgs,
  ...builder.args((t) => ({
    filter: t.field({ type: IssueFilter, description: 'Which issues the listing has.' }),
  })),
};

export type IssueListArgs = ListArgs<IssuableFilter>;

/**
 * A page of the issues that match the filter and `scope`, which restricts them to visible issues
 * (visible.ts); of an edge those of `parent`.
 */
export const listIssues = (
  args: IssueListArgs,
  viewer: Viewer,
  ctx: Context,
  scope: readonly Prisma.Sql[],
  parent?: Parent,
) =>
  pageOfRecords<IssueRecord>(ctx, {
    ...listingOf(issueKind, args, viewer, scope),
    ...(parent && { parent }),
  });
