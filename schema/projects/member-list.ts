import type { InputShapeFromFields } from '@pothos/core';
import { Prisma } from '../../prisma/client.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { allOf, containsText, unexpiredRows } from '../kernel/sql.ts';
import { belongsTo, type Parent } from '../listing/listing.ts';
import { type Page, type PageArgs, pageArgs } from '../listing/page.ts';
import { pageOfRecords } from '../listing/records.ts';
import type { SourceKind } from '../members/members.ts';
import type { Member } from '../members/types.ts';

const MemberFilter = builder.inputType('MemberFilter', {
  description: 'Which members a listing has.',
  fields: (t) => ({
    search: t.string({
      description: 'Only members whose name or username contains this text, in any case.',
    }),
  }),
});

/** The arguments of every listing of members. */
const memberListArgs = builder.args((t) => ({
  filter: t.field({ type: MemberFilter, description: 'Which members the listing has.' }),
}));

type ListArgs = PageArgs & Partial<InputShapeFromFields<typeof memberListArgs>>;

/** The arguments of an edge to members. */
export const memberEdgeArgs = { ...pageArgs, ...memberListArgs };

/** A group or project as the parent of rows that have its id in `namespace_id` or `project_id`. */
export const ofSource = ({
  kind,
  id,
}: {
  readonly kind: SourceKind;
  readonly id: number;
}): Parent => belongsTo(kind === 'group' ? 'namespace_id' : 'project_id', id);

/** A group or project with the groups above it, whose members are members of it, too. */
interface InheritingSource {
  readonly kind: SourceKind;
  readonly id: number;
  /** The groups above a project; of a group with the group itself. */
  readonly ancestorIds: readonly number[];
}

/**
 * The unexpired memberships of a group or project and of the groups above it as the rows of a parent: of
 * each user the highest one, of several equal ones the oldest.
 */
export const ofInheritingSource = ({ kind, id, ancestorIds }: InheritingSource): Parent => ({
  id: kind === 'project' ? id : noProject,
  value: `{${ancestorIds.join(',')}}`,
  condition: (projectId, groupIds) => Prisma.sql`id IN (
    SELECT DISTINCT ON (user_id) id FROM members
    WHERE (project_id = ${projectId} OR namespace_id = ANY(${groupIds}::int[])) AND ${unexpiredRows}
    ORDER BY user_id, access_level DESC, id)`,
});

/** No project has this id. */
const noProject = 0;

/** A page of the members of `parent`, by the order in which they were added. */
export function listMembers(
  { filter, userId, ...page }: ListArgs & { readonly userId?: number },
  ctx: Pick<Context, 'db' | 'viewer'>,
  parent: Parent,
): Page<typeof Member.$inferType> {
  return pageOfRecords(ctx, {
    table: 'members',
    where: allOf([
      ...(userId === undefined ? [] : [Prisma.sql`user_id = ${userId}`]),
      ...(filter?.search
        ? [
            Prisma.sql`user_id IN (SELECT id FROM users WHERE ${containsText(filter.search, ['name', 'username'])})`,
          ]
        : []),
    ]),
    column: 'id',
    direction: 'asc',
    page,
    parent,
  });
}
