import { batched } from '../kernel/batched.ts';
import { builder } from '../kernel/builder.ts';
import { unexpiredRows } from '../kernel/sql.ts';
import { Namespace } from '../namespaces/types.ts';
import { levelInGroup } from './find.ts';
import { canCountMembers } from './policy.ts';

/** The number of distinct members of a group and its descendants. */
const membersWithDescendants = batched<number, number>(async (ids, { db }) => {
  const rows = await db.$queryRaw<{ id: number; count: number }[]>`
    SELECT requested.id, (
      SELECT count(DISTINCT user_id)::int FROM members
      WHERE namespace_id = ANY(ARRAY(
        SELECT id FROM namespaces WHERE ancestor_ids @> ARRAY[requested.id] AND NOT is_removed
      )) AND ${unexpiredRows}
    ) AS count
    FROM unnest(${[...ids]}::int[]) AS requested(id)`;
  return new Map(rows.map(({ id, count }) => [id, count]));
}, 0);

builder.prismaObjectField(Namespace, 'membersCountWithDescendants', (t) =>
  t.int({
    description:
      'The number of members of a group and of all its subgroups and projects. Null for the namespace of a user, and unless the current user is a master of the group.',
    nullable: true,
    select: { id: true, kind: true, ancestorIds: true },
    resolve: ({ id, kind, ancestorIds }, _args, ctx) =>
      kind === 'group' && canCountMembers(levelInGroup(ctx.viewer, { ancestorIds }))
        ? membersWithDescendants(id, ctx)
        : null,
  }),
);
