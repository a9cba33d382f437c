import { Prisma, type Transaction } from '../../prisma/client.ts';
import { list } from '../kernel/sql.ts';

/**
 * Relinks the labels and milestones of the groups that a project leaves: issues, merge requests,
 * boards and priorities get labels of the same name, and issues and merge requests get milestones
 * of the same title, from the project or its new groups if they exist, else copies. The caller has
 * locked the project and moved it; `ancestorIds` are its new groups.
 */
export async function relinkLabelsAndMilestones(
  tx: Transaction,
  projectId: number,
  ancestorIds: readonly number[],
): Promise<void> {
  const home = { projectId, ancestorIds };
  await relinkLabels(tx, home);
  await relinkMilestones(tx, home);
}

interface Home {
  readonly projectId: number;
  readonly ancestorIds: readonly number[];
}

/** A record of the former groups and its replacement. */
interface Replacement {
  readonly formerId: number;
  readonly id: number;
}

/** Belongs to the project, or to one of its current groups. */
const isThere = ({ projectId, ancestorIds }: Home, table: 'labels' | 'milestones') => {
  const column = (name: string) => Prisma.raw(`${table}.${name}`);
  return Prisma.sql`(${column('project_id')} = ${projectId}
    OR ${column('namespace_id')} = ANY(${list(ancestorIds)}))`;
};

/** The project's own first, then those of nearer groups. */
const nearestFirst = ({ ancestorIds }: Home, table: 'labels' | 'milestones') => {
  const groupId = Prisma.raw(`${table}.namespace_id`);
  return Prisma.sql`array_position(${list(ancestorIds)}, ${groupId}) DESC NULLS FIRST`;
};

async function relinkLabels(tx: Transaction, home: Home): Promise<void> {
  const { projectId, ancestorIds } = home;
  const formerLabels = await tx.$queryRaw<{ id: number }[]>`
    SELECT id FROM labels
    WHERE namespace_id <> ALL(${list(ancestorIds)}) AND id IN (
      SELECT label_id FROM issue_labels JOIN issues ON issues.id = issue_id
      WHERE issues.project_id = ${projectId}
      UNION SELECT label_id FROM merge_request_labels
      JOIN merge_requests ON merge_requests.id = merge_request_id
      WHERE merge_requests.project_id = ${projectId}
      UNION SELECT label_id FROM board_lists JOIN boards ON boards.id = board_id
      WHERE boards.project_id = ${projectId}
      UNION SELECT label_id FROM label_priorities WHERE project_id = ${projectId})`;
  if (formerLabels.length === 0) return;
  const ids = formerLabels.map(({ id }) => id);
  await tx.$executeRaw`
    INSERT INTO labels (project_id, name, color, description, updated_at)
    SELECT DISTINCT ON (name) ${projectId}::int, name, color, description, now()
    FROM labels former WHERE id = ANY(${list(ids)}) AND NOT EXISTS (
      SELECT FROM labels WHERE name = former.name AND ${isThere(home, 'labels')})
    ORDER BY name, id`;
  const replacements = await tx.$queryRaw<Replacement[]>`
    SELECT DISTINCT ON (former.id) former.id AS "formerId", labels.id
    FROM labels former JOIN labels ON labels.name = former.name AND ${isThere(home, 'labels')}
    WHERE former.id = ANY(${list(ids)})
    ORDER BY former.id, ${nearestFirst(home, 'labels')}`;
  await replaceLabels(tx, projectId, replacements);
}

/** However many there are; a former label is deleted where the new one is already assigned. */
async function replaceLabels(
  tx: Transaction,
  projectId: number,
  replacements: readonly Replacement[],
): Promise<void> {
  const formerIds = list(replacements.map(({ formerId }) => formerId));
  const ids = list(replacements.map(({ id }) => id));
  const replaced = Prisma.sql`unnest(${formerIds}, ${ids}) AS replaced(former_id, id)`;
  for (const kind of ['issue', 'merge_request']) {
    const [table, key, labels] = [`${kind}s`, `${kind}_id`, `${kind}_labels`].map((name) =>
      Prisma.raw(name),
    ) as [Prisma.Sql, Prisma.Sql, Prisma.Sql];
    await tx.$executeRaw`
      INSERT INTO ${labels} (${key}, label_id)
      SELECT ${key}, replaced.id FROM ${labels}
      JOIN ${replaced} ON former_id = label_id
      JOIN ${table} ON ${table}.id = ${key} AND project_id = ${projectId}
      ON CONFLICT DO NOTHING`;
    await tx.$executeRaw`
      DELETE FROM ${labels} USING ${table}
      WHERE ${table}.id = ${key} AND label_id = ANY(${formerIds}) AND project_id = ${projectId}`;
  }
  await tx.$executeRaw`
    DELETE FROM board_lists WHERE id IN (
      SELECT id FROM (
        SELECT board_lists.id, row_number() OVER (
          PARTITION BY coalesce(replaced.id, label_id)
          ORDER BY replaced.id IS NOT NULL, position) AS rank
        FROM board_lists
        JOIN boards ON boards.id = board_id AND project_id = ${projectId}
        LEFT JOIN ${replaced} ON former_id = label_id
        WHERE removed_at IS NULL) ranked
      WHERE rank > 1)`;
  await tx.$executeRaw`
    UPDATE board_lists SET label_id = replaced.id
    FROM ${replaced}, boards
    WHERE former_id = label_id AND boards.id = board_id AND project_id = ${projectId}`;
  await tx.$executeRaw`
    INSERT INTO label_priorities (label_id, project_id, priority)
    SELECT replaced.id, project_id, priority FROM label_priorities
    JOIN ${replaced} ON former_id = label_id
    WHERE project_id = ${projectId} ORDER BY former_id
    ON CONFLICT DO NOTHING`;
  await tx.$executeRaw`
    DELETE FROM label_priorities
    WHERE project_id = ${projectId} AND label_id = ANY(${formerIds})`;
}

async function relinkMilestones(tx: Transaction, home: Home): Promise<void> {
  const { projectId, ancestorIds } = home;
  const formerMilestones = await tx.$queryRaw<{ id: number }[]>`
    SELECT id FROM milestones
    WHERE namespace_id <> ALL(${list(ancestorIds)})
      AND id IN (
        SELECT milestone_id FROM issues WHERE project_id = ${projectId}
        UNION SELECT milestone_id FROM merge_requests WHERE project_id = ${projectId})`;
  if (formerMilestones.length === 0) return;
  const ids = list(formerMilestones.map(({ id }) => id));
  await tx.$executeRaw`
    WITH missing AS (
      SELECT DISTINCT ON (title) former.* FROM milestones former
      WHERE id = ANY(${ids}) AND NOT EXISTS (
        SELECT FROM milestones WHERE title = former.title AND ${isThere(home, 'milestones')})
      ORDER BY title, id
    ), numbered AS (
      UPDATE projects SET last_milestone_iid = last_milestone_iid + added.count
      FROM (SELECT count(*)::int FROM missing) added
      WHERE id = ${projectId}
      RETURNING last_milestone_iid - added.count AS before
    )
    INSERT INTO milestones
      (project_id, iid, title, description, state, start_date, due_date, updated_at)
    SELECT ${projectId}::int, numbered.before + row_number() OVER (ORDER BY id),
      title, description, state, start_date, due_date, now()
    FROM missing, numbered`;
  const replaced = Prisma.sql`(
      SELECT DISTINCT ON (former.id) former.id AS former_id, milestones.id
      FROM milestones former
      JOIN milestones ON milestones.title = former.title AND ${isThere(home, 'milestones')}
      WHERE former.id = ANY(${ids})
      ORDER BY former.id, ${nearestFirst(home, 'milestones')}
    ) replaced`;
  for (const table of ['issues', 'merge_requests']) {
    await tx.$executeRaw`
      UPDATE ${Prisma.raw(table)} SET milestone_id = replaced.id FROM ${replaced}
      WHERE project_id = ${projectId} AND milestone_id = former_id`;
  }
}
