import { Prisma } from '../../prisma/client.ts';
import { groupsBelow } from '../groups/reach.ts';

/**
 * The condition for labels and milestones that issues and merge requests of a project can have: its own
 * and groups'.
 */
export const namesOfProject = (projectId: number): Prisma.Sql =>
  Prisma.sql`(project_id = ${projectId} OR project_id IS NULL)`;

/** The same for all projects at any depth below a group. */
export const namesBelow = (groupId: number): Prisma.Sql => Prisma.sql`(project_id IS NULL
  OR project_id IN (SELECT id FROM projects WHERE namespace_id IN (${groupsBelow([groupId])})))`;
