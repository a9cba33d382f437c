import type { Context } from '../kernel/context.ts';

/** Reads a merge request after a mutation; `query` is Prisma's selection. */
export const reloadMergeRequest = (query: object, id: number, { db }: Pick<Context, 'db'>) =>
  db.mergeRequest.findUniqueOrThrow({ ...query, relationLoadStrategy: 'join', where: { id } });
