import type { Database } from '../../prisma/client.ts';

interface PipelineSource {
  readonly projectId: number;
  readonly userId: number;
  readonly sha: string;
}

/** Adds `count` pipelines to a project, each with a job. */
export async function addPipelines(
  db: Database,
  count: number,
  source: PipelineSource,
): Promise<void> {
  const { projectId, userId } = source;
  const pipelines = await db.pipeline.createManyAndReturn({
    data: Array.from({ length: count }, () => ({
      ...source,
      source: 'push' as const,
      status: 'success' as const,
      ref: 'master',
      beforeSha: '0'.repeat(40),
    })),
    select: { id: true },
  });
  await db.job.createMany({
    data: pipelines.map(({ id: pipelineId }) => ({
      projectId,
      pipelineId,
      userId,
      name: 'unit',
      stage: 'test',
      stageIndex: 0,
      status: 'success' as const,
      definition: {},
    })),
  });
}
