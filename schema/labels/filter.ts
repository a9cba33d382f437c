import { Prisma } from '../../prisma/client.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { allOf, containsText, list } from '../kernel/sql.ts';
import type { Parent } from '../listing/listing.ts';
import type { Page, PageArgs } from '../listing/page.ts';
import { readerOf } from '../listing/reader.ts';
import type { GroupOrProject } from '../projects/group-or-project.ts';
import type { LabelRecord, LabelSource, LabelStanding } from './standing.ts';

const LabelFilter = builder.inputType('LabelFilter', {
  description: 'Which labels a listing has.',
  fields: (t) => ({
    search: t.string({ description: 'Only labels whose name contains this text, in any case.' }),
  }),
});

/** The arguments of every listing of labels. */
export const labelListArgs = builder.args((t) => ({
  filter: t.field({ type: LabelFilter, description: 'Which labels the listing has.' }),
}));

interface LabelListArgs extends PageArgs {
  readonly filter?: Partial<typeof LabelFilter.$inferInput> | null | undefined;
}

const columns = Prisma.sql`id, name, color, description`;

/** The columns of labels, with what they are in the context of `source` for a user. */
const columnsIn = ({ kind, id }: LabelSource, viewerId: number) => Prisma.sql`${columns},
  (SELECT priority FROM label_priorities
   WHERE label_id = labels.id AND project_id = ${kind === 'project' ? id : 0}) AS priority,
  EXISTS (SELECT FROM label_subscriptions
    WHERE label_id = labels.id AND user_id = ${viewerId}) AS "isSubscribed"`;

type Row = Omit<LabelRecord, 'source' | 'standing'>;

const listingOf = ({ filter, ...page }: LabelListArgs, scope: readonly Prisma.Sql[]) =>
  ({
    table: 'labels',
    where: allOf([...scope, ...(filter?.search ? [containsText(filter.search, ['name'])] : [])]),
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
): Page<LabelRecord> {
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
  // an array is computed once, so that an index serves both conditions
  project: (id: Prisma.Sql) => Prisma.sql`(project_id = ${id} OR namespace_id = ANY(ARRAY(
    SELECT unnest(ancestor_ids) FROM namespaces
    WHERE namespaces.id = (SELECT namespace_id FROM projects WHERE projects.id = ${id}))))`,
  group: (id: Prisma.Sql) => Prisma.sql`namespace_id IN (
    SELECT unnest(ancestor_ids) FROM namespaces WHERE namespaces.id = ${id})`,
};

/** The own label of a project before those of groups, and that of a nearer group first. */
const nearestFirst =
  'project_id, (SELECT cardinality(ancestor_ids) FROM namespaces WHERE namespaces.id = labels.namespace_id) DESC, id';

/** The label with this name, for edges: the nearest one, or null if there is none. */
export async function labelNamed(
  source: Pick<GroupOrProject, 'kind' | 'id'>,
  name: string,
  ctx: Context,
): Promise<LabelRecord | null> {
  const parent: Parent = { id: source.id, condition: available[source.kind] };
  const scope = [Prisma.sql`name = ${name.trim()}`];
  const listing = { ...listingOf({ perPage: 1 }, scope), order: nearestFirst, parent };
  const [row] = await readerOf(ctx, listing).rows<Row>(columns);
  return row ? { ...row, source } : null;
}

/** As `listLabels`, for edges. */
export function listLabelsOn(
  source: Pick<GroupOrProject, 'kind' | 'id'>,
  args: LabelListArgs,
  ctx: Context,
): Page<LabelRecord> {
  const parent: Parent = { id: source.id, condition: available[source.kind] };
  const reader = readerOf(ctx, { ...listingOf(args, []), parent });
  return {
    nodes: async () => (await reader.rows<Row>(columns)).map((label) => ({ ...label, source })),
    total: reader.total,
    pageInfo: reader.pageInfo,
  };
}
