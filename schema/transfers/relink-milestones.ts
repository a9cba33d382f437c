import { Prisma, type Transaction } from '../../prisma/client.ts';
import { list } from '../kernel/sql.ts';
import {
  type Former,
  formersAmong,
  isThere,
  nearestFirst,
  type Replacement,
  replacedBy,
  usedIn,
} from './homes.ts';

/** The milestones of these projects, as `relinkLabelsAndMilestones` says. */
export async function relinkMilestones(
  tx: Transaction,
  projectIds: readonly number[],
): Promise<void> {
  const ids = list(projectIds);
  const references = Prisma.sql`
    SELECT project_id, milestone_id FROM issues WHERE project_id = ANY(${ids})
    UNION SELECT project_id, milestone_id FROM merge_requests WHERE project_id = ANY(${ids})
    UNION SELECT releases.project_id, milestone_id FROM release_milestones
    JOIN releases ON releases.id = release_id WHERE releases.project_id = ANY(${ids})`;
  const formers = await tx.$queryRaw<Former[]>(formersAmong(references, 'milestones'));
  if (formers.length === 0) return;
  await copyMissing(tx, formers);
  const replacements = await tx.$queryRaw<Replacement[]>`
    SELECT DISTINCT ON (used.project_id, former.id)
      used.project_id AS "projectId", former.id AS "formerId", milestones.id
    FROM ${usedIn(formers)} JOIN milestones former ON former.id = former_id
    JOIN milestones ON milestones.title = former.title AND ${isThere('milestones')}
    ORDER BY used.project_id, former.id, ${nearestFirst('milestones')}`;
  await replaceMilestones(tx, replacedBy(replacements));
}

async function copyMissing(tx: Transaction, formers: readonly Former[]): Promise<void> {
  await tx.$executeRaw`
    WITH missing AS (
      SELECT DISTINCT ON (used.project_id, title)
        used.project_id AS home_id, former.* FROM ${usedIn(formers)}
      JOIN milestones former ON former.id = former_id
      WHERE NOT EXISTS (
        SELECT FROM milestones WHERE title = former.title AND ${isThere('milestones')})
      ORDER BY used.project_id, title, former.id
    ), numbered AS (
      UPDATE projects SET last_milestone_iid = last_milestone_iid + added.count
      FROM (SELECT home_id, count(*)::int FROM missing GROUP BY home_id) added
      WHERE projects.id = home_id
      RETURNING projects.id, last_milestone_iid - added.count AS before
    )
    INSERT INTO milestones
      (project_id, iid, title, description, state, start_date, due_date, updated_at)
    SELECT home_id, numbered.before + row_number() OVER (PARTITION BY home_id ORDER BY missing.id),
      title, description, state, start_date, due_date, now()
    FROM missing JOIN numbered ON numbered.id = home_id`;
}

async function replaceMilestones(tx: Transaction, replaced: Prisma.Sql): Promise<void> {
  for (const name of ['issues', 'merge_requests']) {
    const table = Prisma.raw(name);
    await tx.$executeRaw`
      UPDATE ${table} SET milestone_id = replaced.id FROM ${replaced}
      WHERE ${table}.project_id = replaced.project_id AND milestone_id = former_id`;
  }
  await tx.$executeRaw`
    INSERT INTO release_milestones (release_id, milestone_id)
    SELECT release_id, replaced.id FROM release_milestones
    JOIN releases ON releases.id = release_id
    JOIN ${replaced} ON former_id = milestone_id AND replaced.project_id = releases.project_id
    ON CONFLICT DO NOTHING`;
  await tx.$executeRaw`
    DELETE FROM release_milestones USING releases, ${replaced}
    WHERE releases.id = release_id AND milestone_id = former_id
      AND releases.project_id = replaced.project_id`;
}
