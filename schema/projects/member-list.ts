import type { InputShapeFromFields } from '@pothos/core';
import { Prisma } from '../../prisma/client.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { allOf, containsText } from '../kernel/sql.ts';
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

/** A page of the direct members of a group or project, by the order in which they were added. */
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
