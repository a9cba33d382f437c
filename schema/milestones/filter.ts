import { Prisma } from '../../prisma/client.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { allOf, containsText } from '../kernel/sql.ts';
import type { Parent } from '../listing/listing.ts';
import type { PageArgs } from '../listing/page.ts';
import { pageOfRecords } from '../listing/records.ts';
import { type Milestone, MilestoneState } from './types.ts';

const MilestoneFilter = builder.inputType('MilestoneFilter', {
  description: 'Which milestones a listing has: those that match all fields.',
  fields: (t) => ({
    state: t.field({ type: MilestoneState, description: 'Only milestones in this state.' }),
    iids: t.intList({ description: 'Only milestones with these numbers in the project or group.' }),
    title: t.string({ description: 'Only the milestone with exactly this title.' }),
    search: t.string({
      description: 'Only milestones whose title or description contains this text, in any case.',
    }),
  }),
});

/** The arguments of every listing of milestones. */
export const milestoneListArgs = builder.args((t) => ({
  filter: t.field({ type: MilestoneFilter, description: 'Which milestones the listing has.' }),
}));

type Filter = Partial<typeof MilestoneFilter.$inferInput>;

interface ListArgs extends PageArgs {
  readonly filter?: Filter | null | undefined;
}

/** A page of the milestones that match the filter and `scope`, the newest first; of an edge those of `parent`. */
export const listMilestones = (
  { filter, ...page }: ListArgs,
  ctx: Context,
  scope: readonly Prisma.Sql[],
  parent?: Parent,
) =>
  pageOfRecords<typeof Milestone.$inferType>(ctx, {
    table: 'milestones',
    where: allOf([...scope, ...matching(filter ?? {})]),
    isSearch: Boolean(filter?.search),
    column: 'id',
    direction: 'desc',
    page,
    ...(parent && { parent }),
  });

const matching = ({ state, iids, title, search }: Filter): Prisma.Sql[] => [
  ...(state ? [Prisma.raw(`state = '${state}'`)] : []),
  ...(iids ? [Prisma.sql`iid = ANY(${iids})`] : []),
  ...(title ? [Prisma.sql`title = ${title}`] : []),
  ...(search ? [containsText(search, ['title', 'description'])] : []),
];
