import type { Prisma } from '../../prisma/client.ts';
import { Access } from '../kernel/access.ts';
import type { Context } from '../kernel/context.ts';
import { forbidden, notFound } from '../kernel/errors.ts';
import { signedIn } from '../kernel/signed-in.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { openTo } from '../kernel/viewer.ts';
import { findProject } from '../projects/find.ts';
import { canReadSnippet, canSeeAllSnippets, type SnippetTraits } from './policy.ts';

type Asking = Pick<Context, 'db' | 'viewer'>;

/** Where a snippet belongs: to a project (an id or a full path), or to a person when there is none. */
export interface SnippetHome {
  readonly project?: string | null | undefined;
}

/** The same once it was found, with the viewer's level there. */
export interface ResolvedSnippetHome {
  readonly projectId: number | null;
  readonly level: Access;
}

/**
 * The project `ref` if the viewer is signed in, sees it, and it has snippets; nothing of a project is
 * asked for personal ones.
 */
export async function findSnippetHome({ project: ref }: SnippetHome, ctx: Asking) {
  signedIn(ctx);
  if (ref === null || ref === undefined) return { projectId: null, level: Access.none };
  const { id, snippetsEnabled, level } = await findProject(ref, ctx);
  if (!snippetsEnabled) throw forbidden();
  return { projectId: id, level };
}

/** The snippets of a project that somebody of this level there sees. */
export const visibleSnippets = (viewer: Viewer, level: Access): Prisma.SnippetWhereInput =>
  canSeeAllSnippets(viewer, level)
    ? {}
    : { OR: [{ visibility: { in: [...openTo(viewer)] } }, { authorId: viewer.id }] };

type Rule = (viewer: Viewer, level: Access, snippet: SnippetTraits) => boolean;

/** A snippet of a project, or a personal one, if there is one that the viewer may see. */
export async function lookupSnippet(home: SnippetHome, id: number, ctx: Asking) {
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

/** The same if `rule` holds. What may not be seen is not found (v4-behaviour 3.5). */
export async function findSnippet(
  home: SnippetHome,
  id: number,
  ctx: Asking,
  rule: Rule = () => true,
) {
  const snippet = await lookupSnippet(home, id, ctx);
  if (!snippet) throw notFound('Snippet');
  if (!rule(signedIn(ctx), snippet.level, snippet)) throw forbidden();
  return snippet;
}
