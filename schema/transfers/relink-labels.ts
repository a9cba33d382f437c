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

/** The labels of these projects, as `relinkLabelsAndMilestones` says. */
export async function relinkLabels(tx: Transaction, projectIds: readonly number[]): Promise<void> {
  const ids = list(projectIds);
  const references = Prisma.sql`
    SELECT issues.project_id, label_id FROM issue_labels JOIN issues ON issues.id = issue_id
    WHERE issues.project_id = ANY(${ids})
    UNION SELECT merge_requests.project_id, label_id FROM merge_request_labels
    JOIN merge_requests ON merge_requests.id = merge_request_id
    WHERE merge_requests.project_id = ANY(${ids})
    UNION SELECT boards.project_id, label_id FROM board_lists JOIN boards ON boards.id = board_id
    WHERE boards.project_id = ANY(${ids})
    UNION SELECT project_id, label_id FROM label_priorities WHERE project_id = ANY(${ids})`;
  const formers = await tx.$queryRaw<Former[]>(formersAmong(references, 'labels'));
  if (formers.length === 0) return;
  const used = usedIn(formers);
  await tx.$executeRaw`
    INSERT INTO labels (project_id, name, color, description, updated_at)
    SELECT DISTINCT ON (used.project_id, name) used.project_id, name, color, description, now()
    FROM ${used} JOIN labels former ON former.id = former_id
    WHERE NOT EXISTS (SELECT FROM labels WHERE name = former.name AND ${isThere('labels')})
    ORDER BY used.project_id, name, former.id`;
  const replacements = await tx.$queryRaw<Replacement[]>`
    SELECT DISTINCT ON (used.project_id, former.id)
      used.project_id AS "projectId", former.id AS "formerId", labels.id
    FROM ${used} JOIN labels former ON former.id = former_id
    JOIN labels ON labels.name = former.name AND ${isThere('labels')}
    ORDER BY used.project_id, former.id, ${nearestFirst('labels')}`;
  const replaced = replacedBy(replacements);
  for (const kind of ['issue', 'merge_request']) await replaceIn(tx, kind, replaced);
  await replaceOnBoards(tx, ids, replaced);
  await replacePriorities(tx, replaced);
}

/** A former label is deleted where the new one is already assigned. */
async function replaceIn(tx: Transaction, kind: string, replaced: Prisma.Sql): Promise<void> {
  const table = Prisma.raw(`${kind}s`);
  const key = Prisma.raw(`${kind}_id`);
  const labels = Prisma.raw(`${kind}_labels`);
  await tx.$executeRaw`
    INSERT INTO ${labels} (${key}, label_id)
    SELECT ${key}, replaced.id FROM ${labels}
    JOIN ${replaced} ON former_id = label_id
    JOIN ${table} ON ${table}.id = ${key} AND ${table}.project_id = replaced.project_id
    ON CONFLICT DO NOTHING`;
  await tx.$executeRaw`
    DELETE FROM ${labels} USING ${table}, ${replaced}
    WHERE ${table}.id = ${key} AND label_id = former_id
      AND ${table}.project_id = replaced.project_id`;
}

/** Of two lists of a board that would get the same label, one stays. */
async function replaceOnBoards(
  tx: Transaction,
  projectIds: Prisma.Sql,
  replaced: Prisma.Sql,
): Promise<void> {
  await tx.$executeRaw`
    DELETE FROM board_lists WHERE id IN (
      SELECT id FROM (
        SELECT board_lists.id, row_number() OVER (
          PARTITION BY board_id, coalesce(replaced.id, label_id)
          ORDER BY replaced.id IS NOT NULL, position) AS rank
        FROM board_lists
        JOIN boards ON boards.id = board_id AND boards.project_id = ANY(${projectIds})
        LEFT JOIN ${replaced} ON former_id = label_id AND replaced.project_id = boards.project_id
        WHERE removed_at IS NULL) ranked
      WHERE rank > 1)`;
  await tx.$executeRaw`
    UPDATE board_lists SET label_id = replaced.id
    FROM ${replaced}, boards
    WHERE former_id = label_id AND boards.id = board_id
      AND boards.project_id = replaced.project_id`;
}

async function replacePriorities(tx: Transaction, replaced: Prisma.Sql): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO label_priorities (label_id, project_id, priority)
    SELECT replaced.id, replaced.project_id, priority FROM label_priorities
    JOIN ${replaced} ON former_id = label_id AND replaced.project_id = label_priorities.project_id
    ORDER BY former_id
    ON CONFLICT DO NOTHING`;
  await tx.$executeRaw`
    DELETE FROM label_priorities USING ${replaced}
    WHERE label_priorities.project_id = replaced.project_id AND label_id = former_id`;
}
