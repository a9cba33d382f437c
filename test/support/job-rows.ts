import type { Database } from '../../prisma/client.ts';
import { secrets } from './listings.ts';

interface Place {
  readonly projectId: number;
  readonly userId: number;
}

interface MadeJobs extends Place {
  readonly pipelineId: number;
  readonly runnerId: number;
}

/** Adds so many jobs to a pipeline, all of which one runner has run. */
export async function addJobs(db: Database, count: number, made: MadeJobs): Promise<void> {
  await db.job.createMany({
    data: Array.from({ length: count }, (_, n) => ({
      ...made,
      name: `check ${n}`,
      stage: 'test',
      stageIndex: 0,
      status: 'success' as const,
      definition: {},
    })),
  });
}

/** Adds, from a number on, so many triggers to a project. */
export async function addTriggers(
  db: Database,
  from: number,
  count: number,
  { projectId, userId }: Place,
): Promise<void> {
  await db.trigger.createMany({
    data: Array.from({ length: count }, (_, n) => ({
      projectId,
      ownerId: userId,
      description: `trigger ${from + n}`,
      tokenDigest: Buffer.from(`trigger-${from + n}`),
      tokenSealed: secrets.seal(`trigger-${from + n}`),
    })),
  });
}
