import type { Transaction } from '../../prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import type { DeadJob, JobKind } from '../ports/jobs.ts';

/** The maximum number of records. */
const mostKept = 10_000;
const keptFor = 90 * 24 * 3_600_000;

const longestError = 2_000;

/** Kinds whose failure must end the project's wait for its repository. */
const arrivals: readonly string[] = ['import-project', 'fork-project'] satisfies JobKind[];

/**
 * Records a background job that the queue has given up, with its subject; idempotent. Enqueues
 * follow-up work in the same transaction. Returns whether a record was created.
 */
export function recordDeadLetter(
  job: DeadJob,
  { db, jobs }: Pick<Context, 'db' | 'jobs'>,
): Promise<boolean> {
  return db.$transaction(async (tx) => {
    const { id: jobId, error, ...traits } = job;
    const [created] = await tx.deadLetter.createManyAndReturn({
      data: {
        ...traits,
        ...(await subjectOf(job, tx)),
        jobId,
        error: shortened(error),
      },
      select: { id: true },
      skipDuplicates: true,
    });
    if (!created) return false;
    await tx.deadLetter.deleteMany({
      where: {
        OR: [
          { id: { lte: created.id - mostKept } },
          { failedAt: { lt: new Date(Date.now() - keptFor) } },
        ],
      },
    });
    const { projectId } = job.payload as { readonly projectId?: number };
    if (arrivals.includes(job.kind) && projectId !== undefined) {
      await jobs.enqueue('give-up-arrival', { projectId }, tx);
    }
    return true;
  });
}

/** The first and the last line: lines in between may repeat the arguments of a statement. */
function shortened(error: string): string {
  const lines = error
    .replaceAll('\0', '')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const [first = '', last = ''] = [lines[0], lines.at(-1)];
  const text = lines.length > 1 ? `${first} … ${last}` : first;
  return text.slice(0, longestError).toWellFormed();
}

/** The subject fields of payloads. */
interface Subject {
  readonly projectId?: number;
  readonly userId?: number | null;
  readonly mergeRequestId?: number;
  readonly hookId?: number;
  readonly owner?: { readonly kind: string; readonly id: number };
}

/** The project, user and merge request of a job that still exist. */
async function subjectOf({ kind, payload }: DeadJob, tx: Transaction) {
  const { projectId, userId, mergeRequestId, hookId, owner } = payload as Subject;
  const { id: ciJobId } = payload as { readonly id?: number };
  const select = { id: true } as const;
  const project =
    projectId ??
    (owner?.kind === 'project' ? owner.id : null) ??
    (hookId === undefined ? null : await projectOfHook(hookId, tx)) ??
    (kind === 'sweep-job-files' && ciJobId !== undefined ? await projectOfJob(ciJobId, tx) : null);
  const user = userId ?? (owner?.kind === 'user' ? owner.id : null);
  const [projects, users, mergeRequests] = await Promise.all([
    tx.project.findMany({ where: { id: project ?? 0 }, select }),
    tx.user.findMany({ where: { id: user ?? 0 }, select }),
    tx.mergeRequest.findMany({ where: { id: mergeRequestId ?? 0 }, select }),
  ]);
  return {
    projectId: projects[0]?.id ?? null,
    userId: users[0]?.id ?? null,
    mergeRequestId: mergeRequests[0]?.id ?? null,
  };
}

const projectOfHook = async (id: number, tx: Transaction) =>
  (await tx.webHook.findUnique({ where: { id }, select: { projectId: true } }))?.projectId ?? null;

const projectOfJob = async (id: number, tx: Transaction) =>
  (await tx.job.findUnique({ where: { id }, select: { projectId: true } }))?.projectId ?? null;
