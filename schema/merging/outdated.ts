import { Prisma, type Transaction } from '../../prisma/client.ts';
import { lineOf, removedLines } from '../diff-positions/hunks.ts';
import type { Context } from '../kernel/context.ts';
import type { RepositoryAddress } from '../ports/git/address.ts';
import type { FileDiff } from '../ports/git/diff.ts';
import { recordSystemNotes } from '../system-notes/record.ts';
import { sentences } from '../system-notes/sentences.ts';
import { hasUnresolved } from './unresolved.ts';

type Parts = Pick<Context, 'db' | 'git'>;

/** More threads, and those of more commits, stay open: each commit costs a diff. */
const mostThreads = 1_000;
const mostDiffs = 10;

interface LineThread {
  readonly firstNoteId: number;
  readonly baseSha: string;
  readonly headSha: string;
  readonly oldPath: string;
  readonly newPath: string;
  readonly oldLine: number | null;
  readonly newLine: number | null;
}

/** The threads on lines of a merge request that have an unresolved note, the newest first. */
const unresolvedOnLines = ({ db }: Parts, mergeRequestId: number): Promise<LineThread[]> =>
  db.$queryRaw<LineThread[]>`
    SELECT note_id AS "firstNoteId", base_sha AS "baseSha", head_sha AS "headSha",
      old_path AS "oldPath", new_path AS "newPath", old_line AS "oldLine", new_line AS "newLine"
    FROM diff_positions
    WHERE type = 'text' AND note_id IN (
      SELECT first_note_id FROM thread_notes
      WHERE merge_request_id = ${mergeRequestId} AND resolved_at IS NULL)
    ORDER BY note_id DESC LIMIT ${mostThreads}`;

/**
 * The first notes of the unresolved threads on lines that a push has changed: lines that are gone or
 * changed between the commit of the position and `tip`, and removed lines that are back.
 */
export async function outdatedThreads(
  mergeRequestId: number,
  { repository, tip }: { readonly repository: RepositoryAddress; readonly tip: string },
  parts: Parts,
): Promise<readonly number[]> {
  const threads = await unresolvedOnLines(parts, mergeRequestId);
  const groups = Map.groupBy(threads, ({ baseSha, headSha, newLine }) =>
    newLine === null ? baseSha : headSha,
  );
  const outdated: number[] = [];
  for (const [from, ofCommit] of [...groups].slice(0, mostDiffs)) {
    const [existing] = await parts.git.commitsThere(repository, [from]);
    if (!existing || from === tip) continue;
    const { files, isTimedOut } = await parts.git.diff(repository, { from, to: tip });
    // an incomplete diff does not tell whether a line is gone
    if (isTimedOut) continue;
    const byPath = new Map(files.map((file) => [file.oldPath, file]));
    for (const thread of ofCommit) {
      const isGone = thread.newLine === null ? isBack(thread, byPath) : hasChanged(thread, byPath);
      if (isGone) outdated.push(thread.firstNoteId);
    }
  }
  return outdated;
}

type FilesByPath = ReadonlyMap<string, FileDiff>;

/** Whether the diff changes a line that the earlier commit has. */
function hasChanged({ newPath, newLine }: LineThread, files: FilesByPath): boolean {
  const file = files.get(newPath);
  if (!file) return false;
  return file.isDeleted || (newLine !== null && removedLines(file.diff).has(newLine));
}

/** Whether the diff no longer removes a line of the base. */
function isBack({ oldPath, oldLine }: LineThread, files: FilesByPath): boolean {
  const file = files.get(oldPath);
  // the text of a long diff is missing
  return !file || (file.diff !== '' && !lineOf(file.diff, { oldLine, newLine: null }));
}

/**
 * Resolves threads whose lines a push has changed, in the name of the user who pushed, with a system
 * note in each, in the transaction that stores the push.
 */
export async function resolveOutdated(
  tx: Transaction,
  mergeRequestId: number,
  { threads, userId, tip }: OutdatedThreads,
): Promise<void> {
  if (threads.length === 0) return;
  const resolved = await tx.$queryRaw<{ id: number }[]>`
    UPDATE thread_notes SET resolved_at = now(), resolved_by_id = ${userId}::int
    WHERE merge_request_id = ${mergeRequestId} AND resolved_at IS NULL
      AND first_note_id IN (${Prisma.join([...threads])})
    RETURNING first_note_id AS id`;
  const ids = [...new Set(resolved.map(({ id }) => id))];
  if (ids.length === 0) return;
  await recordInThreads(tx, mergeRequestId, { threads: ids, userId, tip });
  if (await hasUnresolved(tx, mergeRequestId)) return;
  await recordSystemNotes(tx, { mergeRequestId }, userId, [sentences.resolvedAll]);
}

/** Threads whose lines a push has changed. */
export interface OutdatedThreads {
  /** Their first notes. */
  readonly threads: readonly number[];
  /** The user who pushed. */
  readonly userId: number | null;
  /** The pushed commit. */
  readonly tip: string;
}

async function recordInThreads(
  tx: Transaction,
  mergeRequestId: number,
  { threads, userId, tip }: OutdatedThreads,
): Promise<void> {
  const body = sentences.changedLine(tip);
  await tx.$executeRaw`
    WITH pairs AS MATERIALIZED (
      SELECT note_id, started_by, nextval('notes_id_seq')::int AS id FROM thread_notes
      WHERE note_id IN (${Prisma.join([...threads])})
    ), written AS (
      INSERT INTO notes (
        id, merge_request_id, author_id, body, is_system, is_in_thread, is_reply, updated_at)
      SELECT id, ${mergeRequestId}::int, ${userId}::int, ${body}::text, true, true, true, now()
      FROM pairs
    )
    INSERT INTO thread_notes (note_id, first_note_id, started_by)
    SELECT id, note_id, started_by FROM pairs`;
}
