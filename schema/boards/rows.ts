import { Prisma, type Transaction } from '../../prisma/client.ts';
import { notFound, recordNotFound } from '../kernel/errors.ts';
import { columnsOf, withDates } from '../listing/json-rows.ts';
import { type LoadedPage, loadedPage, type PageArgs, rowsOf } from '../listing/page.ts';

type LabelRecord = Prisma.LabelGetPayload<object>;

/** A column of a board. */
export interface BoardListRecord {
  readonly id: number;
  /** From 0, without gaps. */
  readonly position: number;
  readonly label: LabelRecord;
}

/** A board with its lists in order. */
export interface BoardRecord {
  readonly id: number;
  readonly lists: readonly BoardListRecord[];
}

type Reader = Pick<Transaction, '$queryRaw'>;
type Unnumbered = Omit<BoardListRecord, 'position'>;

const labelColumns = columnsOf('labels', Object.keys(Prisma.LabelScalarFieldEnum));

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

/** A list's position is its rank: stored positions only give the order, and may have gaps. */
const numbered = (lists: readonly Unnumbered[], first = 0): BoardListRecord[] =>
  lists.map(({ id, label }, rank) => ({ id, position: first + rank, label: withDates(label) }));

/** The boards of a project with their lists. */
export async function boardPage(
  projectId: number,
  page: PageArgs,
  db: Reader,
): Promise<LoadedPage<BoardRecord>> {
  const [result] = await db.$queryRaw<[{ total: number; boards: string }]>`
    SELECT (SELECT count(*)::int FROM boards WHERE project_id = ${projectId}) AS total,
      (SELECT coalesce(json_agg(page ORDER BY page.id), '[]')::text FROM (
        SELECT boards.id, ${listsAsJson()} AS lists FROM boards
        WHERE project_id = ${projectId} ORDER BY boards.id ${rowsOn(page)}) page) AS boards`;
  const boards = JSON.parse(result.boards) as { id: number; lists: Unnumbered[] }[];
  const nodes = boards.map(({ id, lists }) => ({ id, lists: numbered(lists) }));
  return loadedPage(nodes, result.total, page);
}

/** A board of a project with its lists; throws if the project has no such board. */
export async function readBoard(projectId: number, id: number, db: Reader): Promise<BoardRecord> {
  const [board] = await db.$queryRaw<{ lists: string }[]>`
    SELECT ${listsAsJson()}::text AS lists FROM boards
    WHERE id = ${id} AND project_id = ${projectId}`;
  if (!board) throw notFound('Board');
  return { id, lists: numbered(JSON.parse(board.lists) as Unnumbered[]) };
}

/** A page of a board's lists; throws if the board does not belong to the project. */
export async function listPage(
  projectId: number,
  boardId: number,
  page: PageArgs,
  db: Reader,
): Promise<LoadedPage<BoardListRecord>> {
  const [result] = await db.$queryRaw<{ total: number; lists: string }[]>`
    SELECT ${total} AS total, ${listsAsJson(rowsOn(page))}::text AS lists FROM boards
    WHERE id = ${boardId} AND project_id = ${projectId}`;
  if (!result) throw notFound('Board');
  const lists = JSON.parse(result.lists) as Unnumbered[];
  return loadedPage(numbered(lists, rowsOf(page).skip), result.total, page);
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
  const label = withDates(JSON.parse(list.label) as LabelRecord);
  return { id, position: list.position, label };
}
