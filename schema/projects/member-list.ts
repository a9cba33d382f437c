import type { InputShapeFromFields } from '@pothos/core';
import { Prisma } from '../../prisma/client.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { containsText } from '../kernel/sql.ts';
import { belongsTo, type Parent } from '../listing/listing.ts';
import { type Page, type PageArgs, pageArgs } from '../listing/page.ts';
import { readerOf } from '../listing/reader.ts';
import { recordsOn } from '../listing/records.ts';
import type { SourceKind } from '../members/members.ts';
import type { Member } from '../members/types.ts';

/** The arguments of every listing of members. */
export const memberListArgs = builder.args((t) => ({
  search: t.string({ description: 'A part of the name or username, in upper or lower case.' }),
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
  { search, ...page }: ListArgs,
  ctx: Pick<Context, 'db'>,
  parent: Parent,
): Page<typeof Member.$inferType> {
  const reader = readerOf(ctx, {
    table: 'members',
    where: search
      ? Prisma.sql`user_id IN (SELECT id FROM users WHERE ${containsText(search, ['name', 'username'])})`
      : Prisma.sql`true`,
    column: 'id',
    direction: 'asc',
    page,
    parent,
  });
  return {
    nodes: (query) => recordsOn(ctx, reader, 'member', query),
    total: reader.total,
    pageInfo: reader.pageInfo,
  };
}
