import type { Context } from '../kernel/context.ts';
import { invalid, pathNotFound, refuseFaults } from '../kernel/errors.ts';
import { refuseToken } from '../oauth/wrong-token.ts';
import { createPipeline, refusals } from '../pipelines/create.ts';
import { projectWhere } from '../projects/find.ts';
import { keyFaults, valueFaults } from '../variables/faults.ts';

export interface TriggerRun {
  readonly token: string;
  readonly ref: string;
  readonly variables: Readonly<Record<string, string>>;
}

/** Maximum number of variables per pipeline; each job receives all of them. */
const maxVariables = 100;
const maxTotalLength = 65_536;

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
  refuseFaults({ variables: variableFaults(variables) });
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

function variableFaults(variables: TriggerRun['variables']): readonly string[] {
  const entries = Object.entries(variables);
  if (entries.length > maxVariables) return [`are too many (maximum is ${maxVariables})`];
  const length = entries.reduce((sum, [key, value]) => sum + key.length + value.length, 0);
  if (length > maxTotalLength) {
    return [`are too long together (maximum is ${maxTotalLength} characters)`];
  }
  return entries
    .flatMap(([key, value]) => [
      ...keyFaults(key).map((fault) => `${key} ${fault}`),
      ...valueFaults(value).map((fault) => `${key} ${fault}`),
    ])
    .slice(0, 1);
}
