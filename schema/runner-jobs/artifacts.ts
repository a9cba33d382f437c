import type { Transaction } from '../../prisma/client.ts';
import { type ArtifactsFileRecord, artifactsOf } from '../jobs/artifacts.ts';
import type { ArtifactsLocation } from '../jobs/find.ts';
import type { Context } from '../kernel/context.ts';
import { DomainError, forbidden, pathNotFound, rejected } from '../kernel/errors.ts';
import { parseExpiry } from '../kernel/expiry.ts';
import { plainFileName } from '../kernel/file-name.ts';
import type { ReceivedFile } from '../kernel/received-file.ts';
import { transact } from '../kernel/storage-errors.ts';
import type { JobPlace } from '../ports/job-files.ts';
import { tooLarge } from './append-trace.ts';
import { type AuthenticatedJob, findJobByToken } from './credentials.ts';

type Asking = Pick<Context, 'db' | 'secrets' | 'settings' | 'request' | 'signInLimits'>;

const megabyte = 2 ** 20;

/** Maximum bytes of a job's archive. */
export const maxArchiveBytes = ({ settings }: Pick<Context, 'settings'>): number =>
  settings.current.maxArtifactsSize * megabyte;

/** Parameters that a runner sends with the archive. */
export interface Arrival {
  readonly file: ReceivedFile | null | undefined;
  /** E.g. `1 week`; an invalid text or 0 means never. */
  readonly expireIn: string | null | undefined;
}

const notRunning = () => forbidden('Job is not running!');

/**
 * The running job `id`, if it may upload an archive of `size` bytes; checked before the file is
 * received (v4-behaviour 3.12). Throws as `findJobByToken`, and when the job is not running or the
 * archive too large.
 */
export async function findLeaving(
  id: number,
  token: string | null | undefined,
  size: number | null | undefined,
  parts: Asking,
): Promise<AuthenticatedJob> {
  if (maxArchiveBytes(parts) === 0) {
    throw new DomainError('INVALID', 'Method Not Allowed', { reason: 'disabled' });
  }
  const job = await findJobByToken(id, token, parts);
  if (job.status !== 'running') throw notRunning();
  if (size != null && size > maxArchiveBytes(parts)) throw tooLarge();
  return job;
}

/**
 * Stores the archive of a running job and replaces an earlier one. The file is written before the
 * record: the next start settles a kill in between.
 */
export async function keepArtifactsOf(
  id: number,
  token: string | null | undefined,
  { file, expireIn }: Arrival,
  parts: Asking & Pick<Context, 'jobFiles'>,
): Promise<ArtifactsFileRecord> {
  const job = await findLeaving(id, token, file?.size, parts);
  if (!file) throw rejected('400 (Bad request) "Missing artifacts file!" not given');
  const text = expireIn ?? parts.settings.current.defaultArtifactsExpireIn;
  const record = {
    artifactsFile: plainFileName(file.name),
    artifactsSize: BigInt(file.size),
    artifactsExpireAt: expiryOf(text),
  };
  const commit = (move: (sizeBefore: number | null) => Promise<void>) =>
    transact(parts.db, async (tx) => {
      // a concurrent removal of the project is either visible here or deletes the file later
      const [project] = await tx.$queryRaw<unknown[]>`
        SELECT id FROM projects WHERE id = ${job.projectId} AND NOT is_removed FOR SHARE`;
      if (!project) throw forbidden('Project has been deleted!');
      await tx.$queryRaw`SELECT id FROM jobs WHERE id = ${job.id} FOR NO KEY UPDATE`;
      const sizeBefore = await recordedSize(job, tx);
      const where = { id: job.id, status: 'running', erasedAt: null } as const;
      const { count } = await tx.job.updateMany({ where, data: record });
      if (count === 0) throw notRunning();
      // the row is locked: of two concurrent archives the recorded one is the stored one
      await move(sizeBefore);
    });
  await parts.jobFiles.keepArtifacts(job, file, {
    commit,
    whileRecorded: (work) => whileRecorded(job, work, parts),
  });
  return record;
}

/** Milliseconds; anything longer means never. */
const maxLifetimeMs = 100 * 365 * 86_400_000;

function expiryOf(text: string): Date | null {
  const lifetime = (parseExpiry(text) ?? 0) * 1000;
  return lifetime > 0 && lifetime <= maxLifetimeMs ? new Date(Date.now() + lifetime) : null;
}

/** The archive of a job for the holder of its token, such as a later job. */
export async function findArtifactsByToken(
  id: number,
  token: string | null | undefined,
  parts: Pick<Context, 'db' | 'secrets' | 'request' | 'signInLimits'>,
): Promise<ArtifactsLocation> {
  const { projectId } = await findJobByToken(id, token, parts);
  const job = await parts.db.job.findUnique({
    where: { id },
    select: { artifactsFile: true, artifactsSize: true, artifactsExpireAt: true },
  });
  const file = job && artifactsOf(job);
  if (!file) throw pathNotFound();
  return { ...file, jobId: id, projectId };
}

/**
 * Runs `work` with the size of the archive that the record of a job names, or null, while no upload, erasure
 * or move can change the archive.
 */
export const whileRecorded = (
  job: JobPlace,
  work: (size: number | null) => Promise<void>,
  { db }: Pick<Context, 'db'>,
): Promise<void> =>
  transact(db, async (tx) => {
    await tx.$queryRaw`SELECT id FROM jobs WHERE id = ${job.id} FOR NO KEY UPDATE`;
    await work(await recordedSize(job, tx));
  });

async function recordedSize({ id, projectId }: JobPlace, tx: Transaction): Promise<number | null> {
  const job = await tx.job.findFirst({
    where: { id, projectId, artifactsFile: { not: null } },
    select: { artifactsSize: true },
  });
  return job?.artifactsSize == null ? null : Number(job.artifactsSize);
}
