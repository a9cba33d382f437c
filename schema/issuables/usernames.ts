import { Prisma } from '../../prisma/client.ts';
import { routeKey } from '../kernel/names.ts';
import type { IssuableKind } from './kinds.ts';

interface UsernameFilter {
  readonly authorUsername?: string | null | undefined;
  readonly assigneeUsername?: string | null | undefined;
}

/** The conditions that users with these names are author and assignee. */
export const ofUsernames = (
  kind: IssuableKind,
  { authorUsername, assigneeUsername }: UsernameFilter,
): Prisma.Sql[] => [
  ...(authorUsername ? [Prisma.sql`author_id = ${userIdOf(authorUsername)}`] : []),
  ...(assigneeUsername ? [kind.assignedTo(userIdOf(assigneeUsername))] : []),
];

/** The id of the user, or null, which no row matches. */
const userIdOf = (username: string): Prisma.Sql =>
  Prisma.sql`(SELECT users.id FROM users WHERE users.username_key = ${routeKey(username)})`;
