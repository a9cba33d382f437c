import { randomBytes } from 'node:crypto';
import type { Context } from '../kernel/context.ts';
import { forbidden, pathNotFound, refuseFaults } from '../kernel/errors.ts';
import { onRecordMissing, transact } from '../kernel/storage-errors.ts';
import { refuseModified } from '../kernel/unmodified.ts';
import { refuseToken } from '../oauth/wrong-token.ts';
import type { RunnerChange } from './change.ts';
import { acceptsNoJobs, distinctTags, runnerFaults } from './faults.ts';
import { findRunnerByToken } from './find.ts';
import { infoColumns, type RunnerInfo } from './touch.ts';

export interface Registration {
  readonly id: number;
  /** The token for requesting jobs. */
  readonly token: string;
}

/** 30 hexadecimal characters (v4-behaviour 3.12). */
const newRunnerToken = (): string => randomBytes(15).toString('hex');

/**
 * Registers a runner: a shared one with the instance's token, a specific one with a project's.
 * Throws `forbidden` for any other token, and `not found` for a runner that could not run any job
 * (v4-behaviour 3.12).
 */
export async function registerRunner(
  by: string,
  { tags = [], runsUntagged = true, ...settings }: RunnerChange,
  info: RunnerInfo,
  ctx: Pick<Context, 'db' | 'secrets' | 'request' | 'signInLimits'>,
): Promise<Registration> {
  const { db, secrets } = ctx;
  const place = await placeOf(secrets.digest(by), ctx);
  const described = { ...settings, tags: distinctTags(tags), runsUntagged };
  if (acceptsNoJobs(described)) throw pathNotFound();
  refuseFaults(runnerFaults(described));
  const token = newRunnerToken();
  const { id } = await db.runner
    .create({
      data: {
        ...described,
        ...infoColumns(info),
        ...place,
        tokenDigest: secrets.digest(token),
        tokenSealed: secrets.seal(token),
      },
      select: { id: true },
    })
    .catch(onRecordMissing(forbidden));
  return { id, token };
}

/** The project of a registration token, or null for the instance's. */
async function placeOf(
  digest: Uint8Array<ArrayBuffer>,
  ctx: Pick<Context, 'db' | 'request' | 'signInLimits'>,
) {
  const { db } = ctx;
  const isInstance = await db.applicationSettings.count({ where: { runnersTokenDigest: digest } });
  if (isInstance > 0) return { isShared: true };
  const project = await db.project.findFirst({
    where: { runnersTokenDigest: digest, isRemoved: false },
    select: { id: true },
  });
  if (!project) return refuseToken(forbidden(), ctx);
  return { projects: { create: { projectId: project.id } } };
}

/** Removes the runner with this token. */
export async function unregisterRunner(token: string, ctx: Context): Promise<void> {
  const { id } = await findRunnerByToken(token, ctx);
  await transact(ctx.db, async (tx) => {
    const runner = await tx.runner.findUnique({ where: { id } });
    if (!runner) throw forbidden();
    refuseModified(runner, ctx);
    const { count } = await tx.runner.deleteMany({ where: { id } });
    if (count === 0) throw forbidden();
  });
  ctx.runnerCache.forget(id);
}
