import { Prisma, type Transaction } from '../../prisma/client.ts';
import { Access } from '../kernel/access.ts';
import type { Context } from '../kernel/context.ts';
import { invalid, notFound, refuseFaults } from '../kernel/errors.ts';
import { onRecordMissing, transact } from '../kernel/storage-errors.ts';
import { refuseModified } from '../kernel/unmodified.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { projectsAtLevel } from '../projects/at-level.ts';
import { keyTaken, readKey, titleFaults } from './faults.ts';
import { deployKeyNotFound } from './find.ts';
import { fingerprintOf } from './public-key.ts';
import { removeUnusedKey, storeKey } from './store.ts';

export interface NewDeployKey {
  readonly title: string;
  readonly key: string;
  readonly canPush?: boolean | null | undefined;
}

/**
 * Adds a deploy key to a project and returns its id. A key that the project already has stays
 * unchanged; one of another project in which the viewer is a master is shared; any other existing
 * key is rejected as taken (v4-behaviour 3.9).
 */
export async function addDeployKey(
  projectId: number,
  { title, key: text, canPush }: NewDeployKey,
  viewer: Viewer,
  { db, settings }: Context,
): Promise<number> {
  const key = readKey(title, text, settings.current);
  const fingerprint = fingerprintOf(key);
  return withProject(db, async (tx) => {
    const created = await storeKey(tx, key, { title, userId: null });
    const sameFingerprint = Prisma.sql`fingerprint = ${fingerprint}`;
    const id = created ?? (await findReachableKey(tx, sameFingerprint, projectId, viewer));
    if (id === null) throw invalid(keyTaken);
    await link(tx, { keyId: id, projectId, canPush: canPush ?? false, userId: viewer.id });
    return id;
  });
}

/** Shares a deploy key of another project in which the viewer is a master, by its id. */
export async function enableDeployKey(
  projectId: number,
  id: number,
  viewer: Viewer,
  { db }: Context,
): Promise<void> {
  await withProject(db, async (tx) => {
    const keyId = await findReachableKey(tx, Prisma.sql`id = ${id}`, projectId, viewer);
    if (keyId === null) throw deployKeyNotFound();
    await link(tx, { keyId, projectId, canPush: false, userId: viewer.id });
  });
}

const withProject = <T>(db: Context['db'], work: (tx: Transaction) => Promise<T>) =>
  transact(db, work).catch(onRecordMissing(() => notFound('Project')));

/**
 * The id of a deploy key of this project, or of one whose keys the viewer manages; locked until the
 * transaction ends.
 */
async function findReachableKey(
  tx: Transaction,
  which: Prisma.Sql,
  projectId: number,
  viewer: Viewer,
): Promise<number | null> {
  const reach = viewer.isAdmin
    ? Prisma.sql`true`
    : Prisma.sql`EXISTS (
        SELECT FROM deploy_key_projects JOIN projects ON projects.id = project_id
        WHERE key_id = keys.id AND NOT is_removed AND (
          project_id = ${projectId} OR project_id IN (${projectsAtLevel(viewer, Access.master)})))`;
  const [key] = await tx.$queryRaw<{ id: number }[]>`
    SELECT id FROM keys WHERE ${which} AND user_id IS NULL AND ${reach} FOR KEY SHARE`;
  return key?.id ?? null;
}

interface Link {
  readonly keyId: number;
  readonly projectId: number;
  readonly canPush: boolean;
  /** As whose the pushes count. */
  readonly userId: number;
}

const link = (tx: Transaction, { keyId, projectId, canPush, userId }: Link) =>
  tx.$executeRaw`
    INSERT INTO deploy_key_projects (key_id, project_id, can_push, user_id)
    VALUES (${keyId}, ${projectId}, ${canPush}, ${userId}) ON CONFLICT DO NOTHING`;

/** The given fields of a deploy key. All its projects show the same title. */
export interface DeployKeyChange {
  readonly title?: string | null | undefined;
  readonly canPush?: boolean | null | undefined;
}

export async function updateDeployKey(
  projectId: number,
  keyId: number,
  { title, canPush }: DeployKeyChange,
  viewer: Viewer,
  { db }: Context,
): Promise<void> {
  const isRenamed = title !== null && title !== undefined;
  refuseFaults({ title: isRenamed ? titleFaults(title) : [] });
  await transact(db, async (tx) => {
    const where = { projectId, keyId };
    // locks the key before the rows that refer to it, as everywhere
    const { count: keyCount } = await tx.key.updateMany({
      where: { id: keyId, projects: { some: { projectId } } },
      data: isRenamed ? { title } : { updatedAt: new Date() },
    });
    if (keyCount === 0) throw deployKeyNotFound();
    if (typeof canPush !== 'boolean') return;
    const data = { canPush, ...(canPush && { userId: viewer.id }) };
    const { count } = await tx.deployKeyProject.updateMany({ where, data });
    if (count === 0) throw deployKeyNotFound();
  });
}

/** Removes a deploy key from a project, and deletes it if no project is left. */
export async function removeDeployKey(
  projectId: number,
  keyId: number,
  ctx: Context,
): Promise<void> {
  await transact(ctx.db, async (tx) => {
    const [key] = await tx.$queryRaw<{ updatedAt: Date }[]>`
      SELECT updated_at AS "updatedAt" FROM keys
      WHERE id = ${keyId} AND user_id IS NULL FOR UPDATE`;
    const { count } = await tx.deployKeyProject.deleteMany({ where: { projectId, keyId } });
    if (!key || count === 0) throw deployKeyNotFound();
    refuseModified(key, ctx);
    await removeUnusedKey(tx, keyId);
  });
}
