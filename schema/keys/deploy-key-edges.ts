import { Prisma } from '../../prisma/client.ts';
import { batched } from '../kernel/batched.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { statementCost } from '../kernel/cost.ts';
import { ifVisible } from '../kernel/results.ts';
import { firstVisible, listingCost, type Page, type PageArgs, pageArgs } from '../listing/page.ts';
import { idsOn, readerOf } from '../listing/reader.ts';
import { projectById } from '../projects/find.ts';
import { Project } from '../projects/types.ts';
import { canManageDeployKeys } from './policy.ts';
import { DeployKey, DeployKeyPage } from './types.ts';

type DeployKeyRecord = typeof DeployKey.$inferType;

interface Uses {
  readonly projectId: number;
  readonly keyIds: readonly number[];
  /** Prisma's `select` or `include`. */
  readonly query: object;
}

/** The uses of keys by projects: one statement for all projects with the same selection. */
const usesOf = batched<Uses, readonly DeployKeyRecord[], Pick<Context, 'db'>>(
  async (reads, { db }) => {
    const groups = Map.groupBy(reads, ({ query }) => JSON.stringify(query));
    const groupsOfUses = await Promise.all(
      [...groups.values()].map(async (group) => {
        const rows = await db.deployKeyProject.findMany({
          ...group[0]?.query,
          relationLoadStrategy: 'join',
          where: {
            projectId: { in: group.map(({ projectId }) => projectId) },
            keyId: { in: group.flatMap(({ keyIds }) => keyIds) },
          },
        });
        const byPlace = new Map(rows.map((row) => [`${row.projectId} ${row.keyId}`, row]));
        return group.map((read) => {
          const ofProject = read.keyIds.flatMap(
            (keyId) => byPlace.get(`${read.projectId} ${keyId}`) ?? [],
          );
          return [read, ofProject] as const;
        });
      }),
    );
    return new Map(groupsOfUses.flat());
  },
  [],
);

interface DeployKeyListArgs extends PageArgs {
  /** Only this key. */
  readonly keyId?: number;
}

/** A page of the deploy keys of a project, the oldest first. */
export function listDeployKeys(
  projectId: number,
  { keyId, ...page }: DeployKeyListArgs,
  ctx: Pick<Context, 'db'>,
): Page<DeployKeyRecord> {
  const reader = readerOf(ctx, {
    table: 'keys',
    where: keyId === undefined ? Prisma.sql`true` : Prisma.sql`id = ${keyId}`,
    column: 'id',
    direction: 'asc',
    page,
    parent: {
      id: projectId,
      condition: (id) =>
        Prisma.sql`id IN (SELECT key_id FROM deploy_key_projects WHERE project_id = ${id})`,
    },
  });
  return {
    nodes: async (query) => {
      // Pothos reports a query that is never read, also if there is nothing to select
      const selection = { ...query };
      return usesOf({ projectId, keyIds: await idsOn(reader), query: selection }, ctx);
    },
    total: reader.total,
    pageInfo: reader.pageInfo,
  };
}

const manageable = (id: number, ctx: Context) =>
  projectById(id, ctx, (_viewer, level) => canManageDeployKeys(level));

builder.prismaObjectFields(Project, (t) => ({
  deployKeys: t.field({
    type: DeployKeyPage,
    nullable: true,
    description:
      'The deploy keys of the project, the oldest first. Null for a user below the level of a master.',
    complexity: listingCost,
    args: pageArgs,
    select: { id: true },
    resolve: ({ id }, page, ctx) =>
      ifVisible(async () => {
        await manageable(id, ctx);
        return listDeployKeys(id, page, ctx);
      }),
  }),
  deployKey: t.prismaField({
    type: DeployKey,
    nullable: true,
    description:
      'The deploy key of the project with this key. Null if there is none, and for a user below the level of a master.',
    complexity: statementCost,
    args: {
      sshKeyId: t.arg.int({ required: true, description: 'The key.' }),
    },
    resolve: (query, { id }, { sshKeyId }, ctx, info) =>
      firstVisible(query, info, async () => {
        await manageable(id, ctx);
        return listDeployKeys(id, { keyId: sshKeyId, perPage: 1 }, ctx);
      }),
  }),
}));
