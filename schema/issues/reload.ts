import type { Context } from '../kernel/context.ts';

/** Reads an issue after a mutation; `query` is Prisma's selection. */
export const reloadIssue = (query: object, id: number, { db }: Pick<Context, 'db'>) =>
  db.issue.findUniqueOrThrow({ ...query, relationLoadStrategy: 'join', where: { id } });
