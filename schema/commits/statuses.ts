import { Prisma } from '../../prisma/client.ts';
import { builder } from '../kernel/builder.ts';
import { listingCost, offsetPage, pageArgs, rowsOf } from '../listing/page.ts';
import { pageType } from '../listing/page-types.ts';
import { idsOf, inOrder } from '../listing/reader.ts';
import { commitStates } from './status-moves.ts';
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
    /** External statuses are in the stage `external`. */
    stage: t.string(),
    /** Includes statuses that a newer one of the same name and ref has replaced. */
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
      return offsetPage(
        {
          nodes: async (query) => {
            const { skip, take } = rowsOf(page);
            const rows = await db.$queryRaw<{ id: number }[]>`
            SELECT id FROM ${among} statuses ORDER BY id LIMIT ${take} OFFSET ${skip}`;
            return inOrder(idsOf(rows), (rows) =>
              db.commitStatus.findMany({ ...query, where: rows }),
            );
          },
          total: async () => {
            const [row] = await db.$queryRaw<[{ total: number }]>`
            SELECT count(*)::int AS total FROM ${among} statuses`;
            return row.total;
          },
        },
        page,
      );
    },
  }),
);
