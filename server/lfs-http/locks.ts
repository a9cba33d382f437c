import { z } from 'zod';
import type { Context } from '../../schema/kernel/context.ts';
import type { LfsCaller, LfsProject } from '../../schema/lfs/access.ts';
import {
  createLock,
  deleteLock,
  type LfsLock,
  largestLockPage,
  listLocks,
} from '../../schema/lfs/locks.ts';

type Parts = Pick<Context, 'db'>;

interface Session {
  readonly project: LfsProject;
  readonly caller: LfsCaller;
}

/** Ids and cursors are numbers as text; an empty text is none. */
const number = z
  .string()
  .regex(/^\d{0,9}$/)
  .transform((text) => (text === '' ? undefined : Number(text)))
  .optional();

/** A page may be asked to be larger, or 0 for the default. */
const sizeOf = (limit: number | null | undefined) =>
  Math.min(limit || largestLockPage, largestLockPage);

export const listQuery = z.object({
  path: z
    .string()
    .max(4_096)
    .transform((text) => text || undefined)
    .optional(),
  id: number,
  cursor: number,
  limit: number,
});

export const verifyBody = z.object({
  cursor: number.nullable().transform((cursor) => cursor ?? undefined),
  limit: z.int().min(0).nullish(),
});

export const lockBody = z.object({ path: z.string() });

export const unlockBody = z.object({ force: z.boolean().nullish() });

const shown = ({ id, path, createdAt, user }: LfsLock) => ({
  id: String(id),
  path,
  locked_at: createdAt.toISOString().replace(/\.\d+/, ''),
  owner: { name: user.username },
});

const nextOf = (next: number | null) => (next === null ? {} : { next_cursor: String(next) });

/** `POST …/locks`: status and body. */
export async function lock(
  { path }: z.output<typeof lockBody>,
  { project, caller: { viewer } }: Session,
  parts: Parts,
): Promise<readonly [number, object]> {
  const { lock, isNew } = await createLock(path, { project, viewer }, parts);
  return isNew
    ? [201, { lock: shown(lock) }]
    : [409, { lock: shown(lock), message: 'already created lock' }];
}

/** `GET …/locks`. */
export async function list(
  { cursor: after, limit, ...filter }: z.output<typeof listQuery>,
  { project }: Session,
  parts: Parts,
): Promise<object> {
  const page = { ...filter, after, limit: sizeOf(limit) };
  const { locks, next } = await listLocks(project.id, page, parts);
  return { locks: locks.map(shown), ...nextOf(next) };
}

/** `POST …/locks/verify`: the locks of the caller and those of other users. */
export async function verify(
  { cursor: after, limit }: z.output<typeof verifyBody>,
  { project, caller: { viewer } }: Session,
  parts: Parts,
): Promise<object> {
  const { locks, next } = await listLocks(project.id, { after, limit: sizeOf(limit) }, parts);
  const isOurs = ({ userId }: LfsLock) => userId === viewer?.id;
  return {
    ours: locks.filter(isOurs).map(shown),
    theirs: locks.filter((lock) => !isOurs(lock)).map(shown),
    ...nextOf(next),
  };
}

/** `POST …/locks/:id/unlock`. */
export async function unlock(
  id: number,
  { force }: z.output<typeof unlockBody>,
  { project, caller: { viewer } }: Session,
  parts: Parts,
): Promise<object> {
  const isForced = force === true;
  return { lock: shown(await deleteLock({ id, isForced }, { project, viewer }, parts)) };
}
