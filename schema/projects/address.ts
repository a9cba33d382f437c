import { findGroup } from '../groups/find.ts';
import { Group } from '../groups/types.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { statementCost } from '../kernel/cost.ts';
import { pathNotFound } from '../kernel/errors.ts';
import { routeKey } from '../kernel/names.ts';
import { internal } from '../kernel/public.ts';
import { recordById } from '../listing/records.ts';
import { User } from '../users/types.ts';
import { findProject } from './find.ts';
import { Project } from './types.ts';

/** The owner of the path at the start of a URL; one of the ids is set. */
interface AddressRecord {
  readonly projectId: number | null;
  readonly groupId: number | null;
  readonly userId: number | null;
  /** The rest of the URL path, without a leading slash. */
  readonly rest: string;
}

/** Groups are not nested deeper, and no full path is longer. */
const mostSegments = 32;
const longestPath = 1000;

const Address = builder.objectRef<AddressRecord>('Address').implement({
  description: 'The project, group or user to which the path of a URL leads.',
  fields: (t) => ({
    project: t.prismaField({
      type: Project,
      nullable: true,
      resolve: (query, { projectId: id }, _args, ctx) => {
        const selection = { ...query };
        return id === null ? null : recordById(ctx, 'project', id, selection);
      },
    }),
    group: t.prismaField({
      type: Group,
      nullable: true,
      resolve: (query, { groupId: id }, _args, ctx) => {
        const selection = { ...query };
        return id === null ? null : recordById(ctx, 'namespace', id, selection);
      },
    }),
    user: t.prismaField({
      type: User,
      nullable: true,
      resolve: (query, { userId: id }, _args, ctx) => {
        const selection = { ...query };
        return id === null ? null : recordById(ctx, 'user', id, selection);
      },
    }),
    rest: t.exposeString('rest', { description: 'The rest of the path, without a leading slash.' }),
  }),
});

builder.queryField('address', (t) =>
  t.field({
    extensions: internal,
    type: Address,
    description:
      'Of all whose full path a path begins with, the one with the longest; where nothing is any more, what used to be there.',
    complexity: statementCost,
    args: { path: t.arg.string({ required: true }) },
    resolve: async (_root, { path }, ctx) => {
      const match = await ownerOf(beginningsOf(path), ctx);
      if (!match) throw pathNotFound();
      const { key, ...owner } = match;
      await refuseUnseen(owner, ctx);
      return { ...owner, rest: path.slice(key.length + 1) };
    },
  }),
);

/** `a/b/c` → `a`, `a/b`, `a/b/c`, in the form of the routes' keys. */
function beginningsOf(path: string): readonly string[] {
  const segments = routeKey(path).split('/').slice(0, mostSegments);
  return segments
    .map((_segment, place) => segments.slice(0, place + 1).join('/'))
    .filter((key) => key.length <= longestPath);
}

type Owner = Omit<AddressRecord, 'rest'>;

interface Match {
  readonly key: string;
  readonly projectId: number | null;
  readonly namespaceId: number | null;
  readonly kind: string | null;
  readonly ownerId: number | null;
}

async function ownerOf(
  keys: readonly string[],
  { db }: Pick<Context, 'db'>,
): Promise<(Owner & { readonly key: string }) | null> {
  // below an existing path, a longer former path may still redirect
  const [match] = await db.$queryRaw<Match[]>`
    SELECT key, project_id AS "projectId", namespace_id AS "namespaceId",
      kind::text AS kind, owner_id AS "ownerId"
    FROM (
      SELECT key, project_id, namespace_id, false AS is_former
      FROM routes WHERE key = ANY(${keys})
      UNION ALL
      SELECT key, project_id, namespace_id, true FROM former_paths WHERE key = ANY(${keys})
    ) AS paths
    LEFT JOIN namespaces ON namespaces.id = paths.namespace_id
    ORDER BY length(key) DESC, is_former LIMIT 1`;
  if (!match) return null;
  const { key, projectId, namespaceId, kind, ownerId } = match;
  const isGroup = kind === 'group';
  return {
    key,
    projectId,
    groupId: isGroup ? namespaceId : null,
    userId: namespaceId !== null && !isGroup ? ownerId : null,
  };
}

/** Every user is visible; a group or project only to those who may see it. */
async function refuseUnseen({ projectId, groupId, userId }: Owner, ctx: Context): Promise<void> {
  if (projectId !== null) await findProject(String(projectId), ctx);
  else if (groupId !== null) await findGroup(String(groupId), ctx);
  else if (userId === null) throw pathNotFound();
}
