import { Prisma } from '../../prisma/client.ts';
import { Access } from '../kernel/access.ts';
import type { Context } from '../kernel/context.ts';
import { forbidden, notFound } from '../kernel/errors.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { anyOf, isOpenTo } from '../kernel/sql.ts';
import type { Viewer } from '../kernel/viewer.ts';
import {
  accessibleProject,
  findProject,
  type ProjectFacts,
  projectById,
} from '../projects/find.ts';
import { canReadSnippet, canSeeAllSnippets, type SnippetTraits } from './policy.ts';

type ViewerContext = Pick<Context, 'db' | 'viewer'>;

/** The owner of a snippet: a project (an id or a full path), or a user if omitted. */
export interface SnippetHome {
  readonly project?: string | null | undefined;
}

/**
 * The project `ref`; throws unless the viewer is signed in, sees it, and snippets are enabled
 * there. Personal snippets need no project.
 */
export async function findSnippetHome({ project: ref }: SnippetHome, ctx: ViewerContext) {
  signedIn(ctx);
  if (ref === null || ref === undefined) return { projectId: null, level: Access.none };
  const { id, snippetsEnabled, level } = await findProject(ref, ctx);
  if (!snippetsEnabled) throw forbidden();
  return { projectId: id, level };
}

/** The project with this id, for edges; throws as `findSnippetHome` does. */
export async function snippetProjectById(id: number, ctx: ViewerContext) {
  const viewer = signedIn(ctx);
  const { snippetsEnabled, level } = await projectById(id, ctx);
  if (!snippetsEnabled) throw forbidden();
  return { viewer, level };
}

/** Throws unless the viewer may see the snippet, whose project is null if it is personal. */
export function checkSnippet(
  { project, ...snippet }: SnippetTraits & { readonly project: ProjectFacts | null },
  ctx: ViewerContext,
): void {
  const viewer = signedIn(ctx);
  const { snippetsEnabled, level } = project
    ? accessibleProject(project, ctx)
    : { snippetsEnabled: true, level: Access.none };
  if (!snippetsEnabled) throw forbidden();
  if (!canReadSnippet(viewer, level, snippet)) throw notFound('Snippet');
}

/** The snippets of a project that are visible at this access level. */
export const visibleSnippets = (viewer: Viewer, level: Access): readonly Prisma.Sql[] =>
  canSeeAllSnippets(viewer, level)
    ? []
    : [anyOf([isOpenTo(viewer), Prisma.sql`author_id = ${viewer.id}`])];

type Rule = (viewer: Viewer, level: Access, snippet: SnippetTraits) => boolean;

/** A snippet of a project, or a personal one; null unless it exists and the viewer may see it. */
export async function lookupSnippet(home: SnippetHome, id: number, ctx: ViewerContext) {
  const viewer = signedIn(ctx);
  const { projectId, level } = await findSnippetHome(home, ctx);
  const snippet = await ctx.db.snippet.findFirst({
    where: { id, projectId },
    select: { id: true, authorId: true, visibility: true, updatedAt: true },
  });
  return snippet && canReadSnippet(viewer, level, snippet)
    ? { ...snippet, projectId, level }
    : null;
}

/**
 * The same; throws `forbidden` unless `rule` holds, and `not found` if it is invisible
 * (v4-behaviour 3.5).
 */
export async function findSnippet(
  home: SnippetHome,
  id: number,
  ctx: ViewerContext,
  rule: Rule = () => true,
) {
  const snippet = await lookupSnippet(home, id, ctx);
  if (!snippet) throw notFound('Snippet');
  if (!rule(signedIn(ctx), snippet.level, snippet)) throw forbidden();
  return snippet;
}
