import { Prisma } from '../../prisma/client.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { allOf, containsText, list } from '../kernel/sql.ts';
import type { Parent } from '../listing/listing.ts';
import type { LazyPage, PageArgs } from '../listing/page.ts';
import { readerOf } from '../listing/reader.ts';
import type { GroupOrProject } from '../projects/group-or-project.ts';
import type { LabelRecord, LabelSource, LabelStanding } from './standing.ts';

/** The arguments of every listing of labels. */
export const labelListArgs = builder.args((t) => ({
  search: t.string({ description: 'Only labels whose name contains this text, in any case.' }),
}));

interface LabelListArgs extends PageArgs {
  readonly search?: string | null | undefined;
}

const columns = Prisma.sql`id, name, color, description`;

/** The columns of labels, with what they are in the context of `source` for a user. */
const columnsIn = ({ kind, id }: LabelSource, viewerId: number) => Prisma.sql`${columns},
  (SELECT priority FROM label_priorities
   WHERE label_id = labels.id AND project_id = ${kind === 'project' ? id : 0}) AS priority,
  EXISTS (SELECT FROM label_subscriptions
    WHERE label_id = labels.id AND user_id = ${viewerId}) AS "isSubscribed"`;

type Row = Omit<LabelRecord, 'source' | 'standing'>;

const listingOf = ({ search, ...page }: LabelListArgs, scope: readonly Prisma.Sql[]) =>
  ({
    table: 'labels',
    where: allOf([...scope, ...(search ? [containsText(search, ['name'])] : [])]),
    column: 'name',
    direction: 'asc',
    page,
  }) as const;

/** A page of the labels of a group or project and of the groups above it, by name. */
export function listLabels(
  args: LabelListArgs,
  source: GroupOrProject,
  viewerId: number,
  ctx: Context,
): LazyPage<LabelRecord> {
  const own = source.kind === 'group' ? Prisma.sql`namespace_id` : Prisma.sql`project_id`;
  const scope = Prisma.sql`(${own} = ${source.id} OR namespace_id = ANY(${list(source.ancestorIds)}))`;
  const reader = readerOf(ctx, listingOf(args, [scope]));
  return {
    nodes: async () => {
      const rows = await reader.rows<Row & LabelStanding>(columnsIn(source, viewerId));
      return rows.map(({ priority, isSubscribed, ...label }) => ({
        ...label,
        source,
        standing: { priority, isSubscribed },
      }));
    },
    total: reader.total,
    pageInfo: reader.pageInfo,
  };
}

const available = {
  project: (id: Prisma.Sql) => Prisma.sql`(project_id = ${id} OR namespace_id IN (
    SELECT unnest(ancestor_ids) FROM namespaces
    WHERE namespaces.id = (SELECT namespace_id FROM projects WHERE projects.id = ${id})))`,
  group: (id: Prisma.Sql) => Prisma.sql`namespace_id IN (
    SELECT unnest(ancestor_ids) FROM namespaces WHERE namespaces.id = ${id})`,
};

/** As `listLabels`, for edges. */
export function listLabelsOn(
  source: Pick<GroupOrProject, 'kind' | 'id'>,
  args: LabelListArgs,
  ctx: Context,
): LazyPage<LabelRecord> {
  const parent: Parent = { id: source.id, condition: available[source.kind] };
  const reader = readerOf(ctx, { ...listingOf(args, []), parent });
  return {
    nodes: async () => (await reader.rows<Row>(columns)).map((label) => ({ ...label, source })),
    total: reader.total,
    pageInfo: reader.pageInfo,
  };
}
