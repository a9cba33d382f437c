import type { Access } from '../kernel/access.ts';
import type { Context } from '../kernel/context.ts';
import { forbidden, notFound } from '../kernel/errors.ts';
import type { RepositoryAddress } from '../ports/git/address.ts';
import { findProject } from '../projects/find.ts';
import { repositoryMoving } from '../repository/ledger.ts';
import { canReadWiki, type WikiTraits } from './policy.ts';

/** A wiki and its project. */
export interface Wiki {
  readonly projectId: number;
  readonly project: RepositoryAddress;
  readonly address: RepositoryAddress;
}

type Rule = (level: Access, project: WikiTraits) => boolean;

/**
 * The wiki of project `ref`; throws `forbidden` unless the viewer sees the project and `rule`
 * holds, also for anonymous users (v4-behaviour 2.3).
 */
export async function findWiki(
  ref: string,
  ctx: Pick<Context, 'db' | 'viewer' | 'git'>,
  rule: Rule = canReadWiki,
): Promise<Wiki> {
  return wikiOf(await findProject(ref, ctx), ctx, rule);
}

type WikiProject = WikiTraits & RepositoryAddress & { readonly id: number; readonly level: Access };

/** The wiki of a project that the viewer sees; throws `forbidden` unless `rule` holds. */
export function wikiOf(
  project: WikiProject,
  { git }: Pick<Context, 'git'>,
  rule: Rule = canReadWiki,
): Wiki {
  if (!rule(project.level, project)) throw forbidden();
  const { id: projectId, storage, diskPath } = project;
  const place = { storage, diskPath };
  return { projectId, project: place, address: git.wikiOf(place) };
}

/**
 * Creates the wiki's repository at its first use; throws if the project is removed concurrently, or
 * its repositories move to another storage.
 */
export async function prepareWiki(
  { projectId, project, address }: Wiki,
  { db, git }: Pick<Context, 'db' | 'git'>,
): Promise<void> {
  if (!(await git.makeWiki(address))) return;
  // checked after the creation: a later removal or move of the project finds the repository
  const { storage } = project;
  if ((await db.project.count({ where: { id: projectId, storage, isRemoved: false } })) > 0) return;
  if (await isThere(projectId, db)) {
    await git.remove(address);
    throw repositoryMoving();
  }
  await git.remove(project);
  throw notFound('Project');
}

/** Whether a project exists and is not removed. */
export const isThere = async (id: number, db: Context['db']): Promise<boolean> =>
  (await db.project.count({ where: { id, isRemoved: false } })) > 0;
