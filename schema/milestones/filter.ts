import { Prisma } from '../../prisma/client.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { allOf, containsText } from '../kernel/sql.ts';
import type { Parent } from '../listing/listing.ts';
import type { PageArgs } from '../listing/page.ts';
import { pageOfRecords } from '../listing/records.ts';
import { type Milestone, MilestoneState } from './types.ts';

/** The arguments of every listing of milestones. */
export const milestoneListArgs = builder.args((t) => ({
  state: t.field({ type: MilestoneState, description: 'Only milestones in this state.' }),
  iids: t.intList({ description: 'Only milestones with these numbers in the project or group.' }),
  search: t.string({
    description: 'Only milestones whose title or description contains this text, in any case.',
  }),
}));

interface MilestoneListArgs extends PageArgs {
  readonly state?: typeof MilestoneState.$inferType | null | undefined;
  readonly iids?: readonly number[] | null | undefined;
  readonly search?: string | null | undefined;
}

/** A page of the milestones that match the arguments and `scope`, the newest first; of an edge those of `parent`. */
export const listMilestones = (
  { state, iids, search, ...page }: MilestoneListArgs,
  ctx: Context,
  scope: readonly Prisma.Sql[],
  parent?: Parent,
) =>
  pageOfRecords<typeof Milestone.$inferType>(ctx, 'milestone', {
    table: 'milestones',
    where: allOf([
      ...scope,
      ...(state ? [Prisma.raw(`state = '${state}'`)] : []),
      ...(iids ? [Prisma.sql`iid = ANY(${iids})`] : []),
      ...(search ? [containsText(search, ['title', 'description'])] : []),
    ]),
    isSearch: Boolean(search),
    column: 'id',
    direction: 'desc',
    page,
    ...(parent && { parent }),
  });
