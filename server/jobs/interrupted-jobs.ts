import type { Database } from '../../prisma/client.ts';

/** The queue's text for a job whose process stopped sending heartbeats (pg-boss, plans.js). */
export const heartbeatTimeout = 'job heartbeat timeout';

/** How often a job may kill the process while it runs alone, before it is given up. */
const maxCrashes = 2;

const forgottenAfter = 30 * 24 * 3_600_000;

/** `suspect`: a process died while it ran. `fatal`: the process died of it. */
type Suspicion = 'none' | 'suspect' | 'fatal';

interface JobStart {
  readonly id: string;
  /** The number of earlier attempts. */
  readonly retryCount: number;
  /** The output of its last attempt, as the queue stores it. */
  readonly output: unknown;
}

/**
 * Finds out which background job kills a server process. The queue itself records the start of a
 * job and detects by missing heartbeats that its process is dead, so a job's first attempt costs
 * nothing here.
 */
export function interruptedJobs(db: Database) {
  /** Judges a job that is about to start. `isSuspect` overrides its history. */
  const judge = async (
    { id, retryCount, output }: JobStart,
    isSuspect: boolean,
  ): Promise<Suspicion> => {
    if (retryCount === 0 && !isSuspect) return 'none';
    const hasDied = messageOf(output) === heartbeatTimeout;
    const record = await db.interruptedJob.findUnique({ where: { jobId: id } });
    if (!record) {
      if (!hasDied && !isSuspect) return 'none';
      await db.interruptedJob.createMany({ data: { jobId: id }, skipDuplicates: true });
      await db.interruptedJob.deleteMany({
        where: { createdAt: { lt: new Date(Date.now() - forgottenAfter) } },
      });
      return 'suspect';
    }
    const deaths = record.deaths + (hasDied && record.isRunning ? 1 : 0);
    await db.interruptedJob.updateMany({
      where: { jobId: id },
      data: { deaths, isRunning: false },
    });
    return deaths >= maxCrashes ? 'fatal' : 'suspect';
  };
  const forget = async (id: string): Promise<void> => {
    await db.interruptedJob.deleteMany({ where: { jobId: id } });
  };
  return {
    judge,
    forget,
    /** Runs a suspect, recorded before it starts, so that a crash is attributed to it. */
    watch: async (id: string, work: () => Promise<void>): Promise<void> => {
      const mark = (isRunning: boolean) =>
        db.interruptedJob.updateMany({ where: { jobId: id }, data: { isRunning } });
      await mark(true);
      try {
        await work();
      } catch (error) {
        await mark(false);
        throw error;
      }
      await forget(id);
    },
  };
}

/** The message in the queue's stored output, of an error or of the queue itself. */
export function messageOf(output: unknown): string {
  const { message, value } = (output ?? {}) as {
    readonly message?: unknown;
    readonly value?: unknown;
  };
  if (typeof message === 'string') return message;
  if (typeof value === 'string') return value;
  const inner = (value as { readonly message?: unknown } | null | undefined)?.message;
  return typeof inner === 'string' ? inner : '';
}
