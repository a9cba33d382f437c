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

/** Adds schedules to a project, numbered from a start value, each with a variable. */
export async function addSchedules(
  db: Database,
  from: number,
  count: number,
  { projectId, userId }: JobSource,
): Promise<void> {
  const schedules = await db.pipelineSchedule.createManyAndReturn({
    data: Array.from({ length: count }, (_, n) => ({
      projectId,
      ownerId: userId,
      description: `schedule ${from + n}`,
      ref: 'master',
      cron: '0 1 * * *',
      nextRunAt: new Date('2040-01-01T01:00:00Z'),
    })),
    select: { id: true },
  });
  await db.pipelineScheduleVariable.createMany({
    data: schedules.map(({ id: scheduleId }) => ({
      scheduleId,
      key: 'KEY',
      valueSealed: secrets.seal('a value'),
    })),
  });
}

/** Adds environments to a project, numbered from a start value, each with a deployment. */
export async function addEnvironments(
  db: Database,
  from: number,
  count: number,
  { projectId, userId }: JobSource,
): Promise<void> {
  const numbers = Array.from({ length: count }, (_, n) => from + n);
  const { id: jobId } = await db.job.findFirstOrThrow({ where: { projectId } });
  const environments = await db.environment.createManyAndReturn({
    data: numbers.map((n) => ({ projectId, name: `review/${n}`, slug: `review-${n}` })),
    select: { id: true },
  });
  await db.deployment.createMany({
    data: environments.map(({ id: environmentId }, n) => ({
      projectId,
      iid: from + n + 1,
      environmentId,
      ref: 'master',
      isTag: false,
      sha: '0'.repeat(40),
      userId,
      jobId,
    })),
  });
}
