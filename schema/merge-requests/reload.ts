import type { Context } from '../kernel/context.ts';

/** A merge request that was written just now, as a document asks for it; `query` is Prisma's. */
export const reloadMergeRequest = (query: object, id: number, { db }: Pick<Context, 'db'>) =>
  db.mergeRequest.findUniqueOrThrow({ ...query, relationLoadStrategy: 'join', where: { id } });
