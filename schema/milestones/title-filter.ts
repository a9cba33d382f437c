import { Prisma } from '../../prisma/client.ts';

/**
 * Issues or merge requests by their milestone's title, `No Milestone` or `Any Milestone`, as a
 * filter.
 */
export function inMilestone(title: string): Prisma.Sql {
  if (title.toLowerCase() === 'no milestone') return Prisma.sql`milestone_id IS NULL`;
  if (title.toLowerCase() === 'any milestone') return Prisma.sql`milestone_id IS NOT NULL`;
  return Prisma.sql`milestone_id IN (SELECT id FROM milestones WHERE title = ${title})`;
}
