import type { Prisma } from '../../prisma/client.ts';
import { isPlayable } from '../jobs/policy.ts';
import { batched } from '../kernel/batched.ts';
import type { Context } from '../kernel/context.ts';

const selected = { pipeline: { select: { ref: true, isTag: true } } } as const;

type StoppingJob = Prisma.JobGetPayload<{ include: typeof selected }>;

/**
 * The manual job that stops an environment, of the pipeline that deployed to it last; null without
 * one.
 */
export const stoppingJob = batched<number, StoppingJob | null, Pick<Context, 'db'>>(
  async (environmentIds, { db }) => {
    const found = await db.$queryRaw<{ environmentId: number; jobId: number }[]>`
      SELECT environments.id AS "environmentId", stopping.id AS "jobId"
      FROM environments
      CROSS JOIN LATERAL (
        SELECT on_stop, job_id FROM deployments WHERE environment_id = environments.id
        ORDER BY id DESC LIMIT 1
      ) latest
      JOIN jobs ON jobs.id = latest.job_id
      CROSS JOIN LATERAL (
        SELECT id FROM jobs AS later
        WHERE later.pipeline_id = jobs.pipeline_id AND later.name = latest.on_stop
          AND NOT later.is_retried
        ORDER BY id DESC LIMIT 1
      ) stopping
      WHERE environments.id = ANY(${[...environmentIds]}::int[])`;
    if (found.length === 0) return new Map();
    const jobs = await db.job.findMany({
      relationLoadStrategy: 'join',
      where: { id: { in: found.map(({ jobId }) => jobId) } },
      include: selected,
    });
    const byId = new Map(jobs.filter(isPlayable).map((job) => [job.id, job]));
    return new Map(
      found.map(({ environmentId, jobId }) => [environmentId, byId.get(jobId) ?? null]),
    );
  },
  null,
);
