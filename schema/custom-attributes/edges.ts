import { Prisma } from '../../prisma/client.ts';
import { Group } from '../groups/types.ts';
import { batched } from '../kernel/batched.ts';
import { builder } from '../kernel/builder.ts';
import { listingCost } from '../listing/page.ts';
import { Project } from '../projects/types.ts';
import { User } from '../users/types.ts';
import { type Attribute, mostAttributes } from './attributes.ts';
import type { AttributeOwner } from './find.ts';
import { canManageAttributes } from './policy.ts';
import { CustomAttribute } from './types.ts';

/** The attributes of many owners in one table, oldest first. */
const attributesIn = ({ table, column }: Pick<AttributeOwner, 'table' | 'column'>) =>
  batched<number, readonly Attribute[]>(async (ids, { db }) => {
    const rows = await db.$queryRaw<{ id: number; attributes: readonly Attribute[] }[]>`
      SELECT owners.id, coalesce((
        SELECT json_agg(json_build_object('key', key, 'value', value) ORDER BY oldest.id) FROM (
          SELECT id, key, value FROM ${Prisma.raw(table)} WHERE ${Prisma.raw(column)} = owners.id
          ORDER BY id LIMIT ${mostAttributes}) oldest), '[]') AS attributes
      FROM unnest(${[...ids]}::int[]) AS owners(id)`;
    return new Map(rows.map(({ id, attributes }) => [id, attributes]));
  }, []);

const ofProjects = attributesIn({ table: 'project_custom_attributes', column: 'project_id' });
const ofGroups = attributesIn({ table: 'namespace_custom_attributes', column: 'namespace_id' });
const ofUsers = attributesIn({ table: 'user_custom_attributes', column: 'user_id' });

const edge = {
  nullable: true,
  complexity: listingCost({ perPage: 20 }),
  select: { id: true },
} as const;

const descriptionOf = (owner: string) =>
  `The custom attributes of the ${owner}, the oldest first; at most ${mostAttributes}. Null unless the current user is an administrator.`;

builder.prismaObjectField(Project, 'customAttributes', (t) =>
  t.field({
    ...edge,
    type: [CustomAttribute],
    description: descriptionOf('project'),
    resolve: async ({ id }, _args, ctx) =>
      canManageAttributes(ctx.viewer) ? [...(await ofProjects(id, ctx))] : null,
  }),
);

builder.prismaObjectField(Group, 'customAttributes', (t) =>
  t.field({
    ...edge,
    type: [CustomAttribute],
    description: descriptionOf('group'),
    resolve: async ({ id }, _args, ctx) =>
      canManageAttributes(ctx.viewer) ? [...(await ofGroups(id, ctx))] : null,
  }),
);

builder.prismaObjectField(User, 'customAttributes', (t) =>
  t.field({
    ...edge,
    type: [CustomAttribute],
    description: descriptionOf('user'),
    resolve: async ({ id }, _args, ctx) =>
      canManageAttributes(ctx.viewer) ? [...(await ofUsers(id, ctx))] : null,
  }),
);
