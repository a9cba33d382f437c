import type { Context } from '../kernel/context.ts';
import { invalid, pathNotFound, refuseFaults } from '../kernel/errors.ts';
import { refuseToken } from '../oauth/wrong-token.ts';
import { createPipeline } from '../pipelines/create.ts';
import { refusals } from '../pipelines/target.ts';
import { projectWhere } from '../projects/find.ts';
import { pipelineVariableFaults } from '../variables/pipeline-variables.ts';

export interface TriggerRun {
  readonly token: string;
  readonly ref: string;
  readonly variables: Readonly<Record<string, string>>;
}

/**
 * Creates a pipeline with a trigger token, for the token's owner; returns its id. A project without
 * that trigger responds as one that does not exist (v4-behaviour 3.9).
 */
export async function runTrigger(
  place: string,
  { token, ref, variables }: TriggerRun,
  ctx: Context,
): Promise<number> {
  const { db, secrets } = ctx;
  const trigger = await db.trigger.findFirst({
    where: { tokenDigest: secrets.digest(token), project: projectWhere(place) },
    select: { id: true, projectId: true, ownerId: true },
  });
  if (!trigger) return refuseToken(pathNotFound(), ctx);
  refuseFaults({ variables: pipelineVariableFaults(variables) });
  const { id, ownerId } = trigger;
  if (ownerId === null) throw invalid({ base: [refusals.user] });
  const created = await createPipeline(
    { id: trigger.projectId },
    {
      ref,
      source: 'trigger',
      user: { id: ownerId },
      trigger: { id },
      ...(Object.keys(variables).length > 0 && { variables }),
    },
    ctx,
  );
  if ('refusal' in created) throw invalid({ base: [created.refusal] });
  await db.trigger.updateMany({ where: { id }, data: { lastUsedAt: new Date() } });
  return created.id;
}
