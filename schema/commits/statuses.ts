import { Prisma } from '../../prisma/client.ts';
import { batched } from '../kernel/batched.ts';
import { builder } from '../kernel/builder.ts';
import { idsOf, inOrder } from '../kernel/listing.ts';
import { listingCost, pageArgs, pageType, rowsOf } from '../kernel/page.ts';
import { commitStates, stateOfAll } from './status-moves.ts';
import { Commit } from './types.ts';

export const CommitState = builder.enumType('CommitState', { values: commitStates });

export const CommitStatus = builder.prismaObject('CommitStatus', {
  description: 'What a service outside says of a commit.',
  fields: (t) => ({
    id: t.exposeInt('id'),
    sha: t.exposeString('sha'),
    ref: t.exposeString('ref', { nullable: true }),
    state: t.expose('state', { type: CommitState }),
    name: t.exposeString('name'),
    targetUrl: t.exposeString('targetUrl', { nullable: true }),
    description: t.exposeString('description', { nullable: true }),
    /** Per cent. */
    coverage: t.exposeFloat('coverage', { nullable: true }),
    allowFailure: t.exposeBoolean('allowFailure'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    startedAt: t.expose('startedAt', { type: 'DateTime', nullable: true }),
    finishedAt: t.expose('finishedAt', { type: 'DateTime', nullable: true }),
    author: t.relation('author', { nullable: true }),
  }),
});

const outside = 'external';

const CommitStatusPage = pageType('CommitStatus', CommitStatus);

const CommitStatusFilter = builder.inputType('CommitStatusFilter', {
  fields: (t) => ({
    ref: t.string(),
    name: t.string(),
    /** What comes from outside is of the stage `external`. */
    stage: t.string(),
    /** Also what later words of the same name and ref have replaced. */
    isAll: t.boolean(),
  }),
});

builder.objectField(Commit, 'statuses', (t) =>
  t.field({
    type: CommitStatusPage,
    description: 'The newest of each name and ref, in the order they were first given.',
    complexity: listingCost,
    args: { ...pageArgs, filter: t.arg({ type: CommitStatusFilter }) },
    resolve: ({ id: sha, repository }, { filter, ...page }, { db }) => {
      const conditions = [
        Prisma.sql`project_id = ${repository.id} AND sha = ${sha}`,
        ...(filter?.ref ? [Prisma.sql`ref = ${filter.ref}`] : []),
        ...(filter?.stage && filter.stage !== outside ? [Prisma.sql`false`] : []),
        ...(filter?.name ? [Prisma.sql`name = ${filter.name}`] : []),
      ];
      const where = Prisma.join(conditions, ' AND ');
      const among = filter?.isAll
        ? Prisma.sql`(SELECT id FROM commit_statuses WHERE ${where})`
        : Prisma.sql`(SELECT DISTINCT ON (name, ref) id FROM commit_statuses WHERE ${where}
            ORDER BY name, ref, id DESC)`;
      return {
        nodes: async (query) => {
          const { skip, take } = rowsOf(page);
          const found = await db.$queryRaw<{ id: number }[]>`
            SELECT id FROM ${among} statuses ORDER BY id LIMIT ${take} OFFSET ${skip}`;
          return inOrder(idsOf(found), (rows) =>
            db.commitStatus.findMany({ ...query, where: rows }),
          );
        },
        total: async () => {
          const [row] = await db.$queryRaw<[{ total: number }]>`
            SELECT count(*)::int AS total FROM ${among} statuses`;
          return row.total;
        },
      };
    },
  }),
);

interface Said {
  readonly projectId: number;
  readonly sha: string;
  readonly states: (typeof commitStates)[number][];
}

const keyOf = (projectId: number, sha: string) => `${projectId}:${sha}`;

/** What the newest statuses of commits come to, for all that are asked about at once. */
const overallState = batched(async (keys: readonly string[], { db }) => {
  const pairs = keys.map((key) => key.split(':'));
  const projectIds = pairs.map(([id]) => Number(id));
  const shas = pairs.map(([, sha]) => sha);
  const found = await db.$queryRaw<Said[]>`
    SELECT project_id AS "projectId", sha, array_agg(state::text) AS states FROM (
      SELECT DISTINCT ON (project_id, sha, name, ref) project_id, sha, state
      FROM commit_statuses
      WHERE (project_id, sha) IN (SELECT * FROM unnest(${projectIds}::int[], ${shas}::text[]))
      ORDER BY project_id, sha, name, ref, id DESC
    ) newest GROUP BY project_id, sha`;
  return new Map(
    found.map(({ projectId, sha, states }) => [keyOf(projectId, sha), stateOfAll(states)]),
  );
}, null);

/** What the newest statuses of a commit come to, in a project; null when there is none. */
export const commitStateOf = (
  projectId: number,
  sha: string,
  ctx: Parameters<typeof overallState>[1],
) => overallState(keyOf(projectId, sha), ctx);

builder.objectField(Commit, 'status', (t) =>
  t.field({
    type: CommitState,
    description: 'What its statuses come to; null when there is none.',
    nullable: true,
    resolve: ({ id, repository }, _args, ctx) => commitStateOf(repository.id, id, ctx),
  }),
);
