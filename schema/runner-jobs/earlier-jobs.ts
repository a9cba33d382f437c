import type { Transaction } from '../../prisma/client.ts';
import type { EarlierJob } from './offer.ts';

/** A job whose token is still sealed. */
type SealedJob = Omit<EarlierJob, 'token'> & { readonly tokenSealed: string | null };

interface Place {
  readonly pipelineId: number;
  readonly stageIndex: number;
}

/**
 * The jobs of earlier stages whose artifacts a job fetches: those it names, or all; such as never ran
 * have none and are left out (v4-behaviour 3.12).
 */
export async function earlierJobs(
  tx: Transaction,
  { pipelineId, stageIndex }: Place,
  named: readonly string[] | null,
): Promise<readonly SealedJob[]> {
  if (stageIndex === 0 || named?.length === 0) return [];
  const found = await tx.job.findMany({
    where: {
      pipelineId,
      isRetried: false,
      stageIndex: { lt: stageIndex },
      tokenSealed: { not: null },
      ...(named && { name: { in: [...named] } }),
    },
    orderBy: [{ stageIndex: 'asc' }, { id: 'asc' }],
    select: {
      id: true,
      name: true,
      tokenSealed: true,
      artifactsFile: true,
      artifactsSize: true,
      artifactsExpireAt: true,
    },
  });
  const now = new Date();
  return found.map(({ artifactsExpireAt, ...job }) => ({
    ...job,
    ...(artifactsExpireAt && artifactsExpireAt <= now && { artifactsFile: null }),
  }));
}
