import type { Database } from '../../prisma/client.ts';
import { secrets } from './listings.ts';

interface JobSource {
  readonly projectId: number;
  readonly userId: number;
}

interface JobTraits extends JobSource {
  readonly pipelineId: number;
  readonly runnerId: number;
}

/** Adds `count` jobs to a pipeline, all run by one runner. */
export async function addJobs(db: Database, count: number, traits: JobTraits): Promise<void> {
  await db.job.createMany({
    data: Array.from({ length: count }, (_, n) => ({
      ...traits,
      name: `check ${n}`,
      stage: 'test',
      stageIndex: 0,
      status: 'success' as const,
      definition: {},
    })),
  });
}

/** Adds triggers to a project, numbered from a start value. */
export async function addTriggers(
  db: Database,
  from: number,
  count: number,
  { projectId, userId }: JobSource,
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
