import type { Context } from '../kernel/context.ts';

/** An issue that was written just now, as a document asks for it; `query` is Prisma's. */
export const reloadIssue = (query: object, id: number, { db }: Pick<Context, 'db'>) =>
  db.issue.findUniqueOrThrow({ ...query, relationLoadStrategy: 'join', where: { id } });
