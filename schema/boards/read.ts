import { Prisma, type Transaction } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { notFound, recordNotFound } from '../kernel/errors.ts';
import type { LabelRecord } from '../labels/standing.ts';
import { belongsTo } from '../listing/listing.ts';
import { loadedPage, type Page, type PageArgs, rowsOf } from '../listing/page.ts';
import { readerOf } from '../listing/reader.ts';

/** A column of a board. */
export interface BoardListRecord {
  readonly id: number;
  readonly projectId: number;
  /** From 0, without gaps. */
  readonly position: number;
  readonly label: LabelRecord;
}

/** A board with its lists in order. */
export interface BoardRecord {
  readonly id: number;
  readonly projectId: number;
  readonly lists: readonly BoardListRecord[];
}

type Reader = Pick<Transaction, '$queryRaw'>;
type LabelColumns = Omit<LabelRecord, 'source' | 'standing'>;

/** A list as it is stored: its position is its rank. */
interface Row {
  readonly id: number;
  readonly label: LabelColumns;
}

const labelColumns = 'labels.id, labels.name, labels.color, labels.description';

const live = Prisma.raw('board_lists.board_id = boards.id AND board_lists.removed_at IS NULL');

const total = Prisma.sql`(SELECT count(*)::int FROM board_lists WHERE ${live})`;

/** The lists of the current board with their labels as one JSON array, in order. */
const listsAsJson = (rows = Prisma.empty) => Prisma.sql`(
  SELECT coalesce(json_agg(board_list ORDER BY board_list.place), '[]') FROM (
    SELECT board_lists.id, board_lists.position AS place,
      (SELECT row_to_json(label) FROM (SELECT ${Prisma.raw(labelColumns)}) label) AS label
    FROM board_lists JOIN labels ON labels.id = board_lists.label_id
    WHERE ${live} ORDER BY board_lists.position ${rows}
  ) board_list)`;

const rowsOn = (page: PageArgs): Prisma.Sql => {
  const { skip, take } = rowsOf(page);
  return Prisma.sql`LIMIT ${take} OFFSET ${skip}`;
};

const shownLabel = (label: LabelColumns, projectId: number): LabelRecord => ({
  ...label,
  source: { kind: 'project', id: projectId },
});

/** A list's position is its rank: stored positions only give the order, and may have gaps. */
const numbered = (lists: readonly Row[], projectId: number, first = 0): BoardListRecord[] =>
  lists.map(({ id, label }, rank) => ({
    id,
    projectId,
    position: first + rank,
    label: shownLabel(label, projectId),
  }));

const boardColumns = Prisma.sql`id, ${listsAsJson()} AS lists`;

/** The boards of a project with their lists. */
export function boardPage(
  projectId: number,
  page: PageArgs,
  ctx: Pick<Context, 'db'>,
): Page<BoardRecord> {
  const reader = readerOf(ctx, {
    table: 'boards',
    where: Prisma.sql`true`,
    column: 'id',
    direction: 'asc',
    page,
    parent: belongsTo('project_id', projectId),
  });
  return {
    nodes: async () => {
      const boards = await reader.rows<{ id: number; lists: Row[] }>(boardColumns);
      return boards.map(({ id, lists }) => ({ id, projectId, lists: numbered(lists, projectId) }));
    },
    total: reader.total,
    pageInfo: reader.pageInfo,
  };
}

/** A board of a project with its lists; throws if the project has no such board. */
export async function readBoard(projectId: number, id: number, db: Reader): Promise<BoardRecord> {
  const [board] = await db.$queryRaw<{ lists: string }[]>`
    SELECT ${listsAsJson()}::text AS lists FROM boards
    WHERE id = ${id} AND project_id = ${projectId}`;
  if (!board) throw notFound('Board');
  return { id, projectId, lists: numbered(JSON.parse(board.lists) as Row[], projectId) };
}

/** A page of a board's lists; throws if the board does not belong to the project. */
export async function listPage(
  projectId: number,
  boardId: number,
  page: PageArgs,
  db: Reader,
): Promise<Page<BoardListRecord>> {
  const [result] = await db.$queryRaw<{ total: number; lists: string }[]>`
    SELECT ${total} AS total, ${listsAsJson(rowsOn(page))}::text AS lists FROM boards
    WHERE id = ${boardId} AND project_id = ${projectId}`;
  if (!result) throw notFound('Board');
  const lists = JSON.parse(result.lists) as Row[];
  return loadedPage(numbered(lists, projectId, rowsOf(page).skip), result.total, page);
}

/**
 * A list of a board; throws if the board does not belong to the project or the list not to the
 * board.
 */
export async function readList(
  projectId: number,
  boardId: number,
  id: number,
  db: Reader,
): Promise<BoardListRecord> {
  const [list] = await db.$queryRaw<{ position: number; label: string | null }[]>`
    SELECT
      (SELECT count(*)::int FROM board_lists
       WHERE ${live} AND board_lists.position < listed.position) AS position,
      (SELECT row_to_json(label)::text FROM (
        SELECT ${Prisma.raw(labelColumns)} FROM labels
        WHERE labels.id = listed.label_id) label) AS label
    FROM boards
    LEFT JOIN board_lists listed
      ON listed.board_id = boards.id AND listed.id = ${id} AND listed.removed_at IS NULL
    WHERE boards.id = ${boardId} AND boards.project_id = ${projectId}`;
  if (!list) throw notFound('Board');
  if (list.label === null) throw recordNotFound();
  const label = shownLabel(JSON.parse(list.label) as LabelColumns, projectId);
  return { id, projectId, position: list.position, label };
}
