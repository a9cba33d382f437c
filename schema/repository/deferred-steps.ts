import type { Transaction } from '../../prisma/client.ts';
import type { Jobs } from '../ports/jobs.ts';
import { createsBranch } from './default-branch.ts';
import { deletedTags, type LedgerChange } from './releases.ts';

/** A step of settling a push that can fail without the others. */
export type PushStepName = 'default-branch' | 'releases' | 'events' | 'webhooks';

/** The steps that a push needs, in their order, and which of them failed. */
export function pushSteps(changes: readonly LedgerChange[], arrived: readonly LedgerChange[]) {
  const hasReleases = arrived.some(({ release }) => release !== undefined);
  const all: readonly PushStepName[] = [
    ...(createsBranch(arrived) ? (['default-branch'] as const) : []),
    ...(hasReleases || deletedTags(changes).length > 0 ? (['releases'] as const) : []),
    ...(arrived.length > 0 ? (['events', 'webhooks'] as const) : []),
  ];
  const failed = new Set<PushStepName>();
  return {
    all,
    failed,
    /** Does what a step needs before the transaction; gives `otherwise` if it fails. */
    read: async <Result>(
      step: PushStepName,
      otherwise: Result,
      work: () => Promise<Result>,
    ): Promise<Result> => {
      if (failed.has(step)) return otherwise;
      try {
        return await work();
      } catch {
        // the job that takes over reports the failure
        failed.add(step);
        return otherwise;
      }
    },
  };
}

interface StoredPush {
  readonly projectId: number;
  readonly userId: number | null;
  /** Those that took effect. */
  readonly changes: readonly LedgerChange[];
}

/** Leaves steps of a push to jobs, in the transaction that deletes it from the ledger. */
export async function deferSteps(
  tx: Transaction,
  { projectId, userId, changes }: StoredPush,
  steps: ReadonlySet<PushStepName>,
  jobs: Jobs,
): Promise<void> {
  // the options may have the values of variables, which no step needs
  const stored = changes.map(({ options: _options, ...change }) => change);
  for (const step of steps) {
    const { id } = await tx.pushStep.create({
      data: { projectId, userId, step, changes: JSON.parse(JSON.stringify(stored)) },
      select: { id: true },
    });
    await jobs.enqueue('settle-push-step', { stepId: String(id), step, projectId, userId }, tx);
  }
}
