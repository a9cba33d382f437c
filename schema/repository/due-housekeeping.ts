import type { Context } from '../kernel/context.ts';

/** Days after references have left objects until a housekeeping finds them. */
const daysUntilFound = 7;
/** Days from then on: git keeps unreachable objects for two weeks. */
const daysUntilDeletion = 15;

const recordDue = async (
  projectId: number,
  days: number,
  { db }: Pick<Context, 'db'>,
): Promise<void> => {
  await db.$executeRaw`
    INSERT INTO housekeeping_dues AS due (project_id, due_at)
    SELECT id, now() + make_interval(days => ${days}) FROM projects
    WHERE id = ${projectId} AND NOT is_removed
    ON CONFLICT (project_id) DO UPDATE SET due_at = least(due.due_at, excluded.due_at)`;
};

/** After a push to a project that leaves objects to which no reference leads. */
export const recordLeftObjects = (projectId: number, parts: Pick<Context, 'db'>) =>
  recordDue(projectId, daysUntilFound, parts);

/** After a housekeeping that has left unreachable objects. */
export const recordUnreachableObjects = (projectId: number, parts: Pick<Context, 'db'>) =>
  recordDue(projectId, daysUntilDeletion, parts);

/** Before housekeeping: later changes need another one. */
export const clearDue = async (projectId: number, { db }: Pick<Context, 'db'>): Promise<void> => {
  await db.housekeepingDue.deleteMany({ where: { projectId } });
};
