import { Prisma } from '../../prisma/client.ts';

/** What is planned for a milestone of this title, as a filter; `No Milestone`, `Any Milestone`. */
export function planned(title: string): Prisma.Sql {
  if (title.toLowerCase() === 'no milestone') return Prisma.sql`milestone_id IS NULL`;
  if (title.toLowerCase() === 'any milestone') return Prisma.sql`milestone_id IS NOT NULL`;
  return Prisma.sql`milestone_id IN (SELECT id FROM milestones WHERE title = ${title})`;
}
