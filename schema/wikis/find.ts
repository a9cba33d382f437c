import type { Access } from '../kernel/access.ts';
import type { Context } from '../kernel/context.ts';
import { forbidden, notFound } from '../kernel/errors.ts';
import type { RepositoryAddress } from '../ports/git/address.ts';
import { findProject } from '../projects/find.ts';
import { canReadWiki, type WikiTraits } from './policy.ts';

/** A wiki, and the project it belongs to. */
export interface Wiki {
  readonly projectId: number;
  readonly project: RepositoryAddress;
  readonly address: RepositoryAddress;
}

type Rule = (level: Access, project: WikiTraits) => boolean;

/**
 * The wiki of project `ref`, if the viewer may see the project and `rule` holds. Who may not is
 * refused as forbidden, also without a name (v4-behaviour 2.3).
 */
export async function findWiki(
  ref: string,
  ctx: Pick<Context, 'db' | 'viewer' | 'git'>,
  rule: Rule = canReadWiki,
): Promise<Wiki> {
  const project = await findProject(ref, ctx);
  if (!rule(project.level, project)) throw forbidden();
  const { id: projectId, storage, diskPath } = project;
  const place = { storage, diskPath };
  return { projectId, project: place, address: ctx.git.wikiOf(place) };
}

/** Makes the wiki's repository when it is first needed; refuses a project that is removed meanwhile. */
export async function prepareWiki(
  { projectId, project, address }: Wiki,
  { db, git }: Pick<Context, 'db' | 'git'>,
): Promise<void> {
  if (!(await git.makeWiki(address))) return;
  // asked afterwards: whoever removes the project from now on finds the repository
  if (await isThere(projectId, db)) return;
  await git.remove(project);
  throw notFound('Project');
}

/** Whether a project is not removed. */
export const isThere = async (id: number, db: Context['db']): Promise<boolean> =>
  (await db.project.count({ where: { id, isRemoved: false } })) > 0;
