import type { Context } from '../kernel/context.ts';
import { invalid, notFound, recordNotFound, refuseFaults } from '../kernel/errors.ts';
import { onRecordMissing, onUniqueViolation, transact } from '../kernel/storage-errors.ts';
import { refuseModified } from '../kernel/unmodified.ts';
import { nameFaults, urlFaults } from './faults.ts';
import { findChangeableEnvironment, findDeployableProject } from './find.ts';
import { storeEnvironment } from './store.ts';

interface EnvironmentInput {
  readonly name: string;
  /** Null: none. */
  readonly externalUrl: string | null;
}

const taken = () => invalid({ name: ['has already been taken'] });

/** Creates an environment and returns its id. */
export async function createEnvironment(
  ref: string,
  { name, externalUrl: given }: EnvironmentInput,
  ctx: Context,
): Promise<number> {
  const { id: projectId } = await findDeployableProject(ref, ctx);
  const externalUrl = given || null;
  refuseFaults({ name: nameFaults(name), external_url: urlFaults(externalUrl) });
  const created = await transact(ctx.db, (tx) =>
    storeEnvironment(tx, { projectId, name, externalUrl }),
  ).catch(onRecordMissing(() => notFound('Project')));
  if (!created) throw taken();
  return created.id;
}

/** Changes the given fields; the slug stays. */
export async function updateEnvironment(
  ref: string,
  id: number,
  { name, externalUrl: given }: Partial<EnvironmentInput>,
  ctx: Context,
): Promise<void> {
  await findChangeableEnvironment(ref, id, ctx);
  const externalUrl = given === undefined ? undefined : given || null;
  refuseFaults({
    name: name === undefined ? [] : nameFaults(name),
    external_url: externalUrl === undefined ? [] : urlFaults(externalUrl),
  });
  const data = {
    ...(name !== undefined && { name }),
    ...(externalUrl !== undefined && { externalUrl }),
  };
  const { count } = await ctx.db.environment
    .updateMany({ where: { id }, data })
    .catch(onUniqueViolation(taken));
  if (count === 0) throw recordNotFound();
}

/** Deletes an environment with its deployments. */
export async function deleteEnvironment(ref: string, id: number, ctx: Context): Promise<void> {
  refuseModified(await findChangeableEnvironment(ref, id, ctx), ctx);
  const { count } = await ctx.db.environment.deleteMany({ where: { id } });
  if (count === 0) throw recordNotFound();
}
