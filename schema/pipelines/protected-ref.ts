import { Prisma } from '../../prisma/client.ts';

/**
 * Whether a rule protects the branch or tag of the row `pipeline` at present, as `isProtectedRef` decides.
 * The protection may have ended since the pipeline was created.
 */
export const isRefProtectedNow = (pipeline: 'pipeline' | 'pipelines'): Prisma.Sql => {
  const row = Prisma.raw(pipeline);
  return Prisma.sql`EXISTS (
    SELECT FROM (
      SELECT name FROM protected_branches
      WHERE project_id = ${row}.project_id AND NOT ${row}.is_tag
      UNION ALL
      SELECT name FROM protected_tags WHERE project_id = ${row}.project_id AND ${row}.is_tag
    ) rule
    WHERE ${row}.ref LIKE replace(
      replace(replace(replace(rule.name, '!', '!!'), '%', '!%'), '_', '!_'), '*', '%'
    ) ESCAPE '!')`;
};
