import type { Context } from '../kernel/context.ts';
import { forbidden, notFound, refuseFaults } from '../kernel/errors.ts';
import { given } from '../kernel/given.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { onRecordMissing } from '../kernel/storage-errors.ts';
import { refuseModified } from '../kernel/unmodified.ts';
import { restrictionFaults, snippetFaults } from './faults.ts';
import { findSnippet, findSnippetHome, type SnippetHome } from './find.ts';
import { canCreatePersonalSnippet, canCreateSnippet, canEditSnippet } from './policy.ts';
import type { NewSnippetInput, SnippetChange } from './types.ts';

/**
 * Creates a snippet and gives its id: in a project reporters only, a personal one every user who is not external. The
 * default visibility is the instance's (v4-behaviour 3.5).
 */
export async function createSnippet(
  home: SnippetHome,
  { visibility: input, ...fields }: typeof NewSnippetInput.$inferInput,
  ctx: Context,
): Promise<number> {
  const viewer = signedIn(ctx);
  const { projectId, level } = await findSnippetHome(home, ctx);
  const isAllowed = projectId === null ? canCreatePersonalSnippet(viewer) : canCreateSnippet(level);
  if (!isAllowed) throw forbidden();
  const visibility = input ?? ctx.settings.current.defaultSnippetVisibility;
  refuseFaults({
    ...snippetFaults(fields),
    ...restrictionFaults(visibility, viewer, ctx.settings.current),
  });
  const description = fields.description ?? null;
  const data = { ...fields, description, visibility, projectId, authorId: viewer.id };
  const { id } = await ctx.db.snippet
    .create({ data, select: { id: true } })
    .catch(onRecordMissing(() => notFound(projectId === null ? 'User' : 'Project')));
  return id;
}

/** Updates the given fields; `description: null` clears it. */
export async function updateSnippet(
  home: SnippetHome,
  id: number,
  change: SnippetChange,
  ctx: Context,
): Promise<void> {
  const snippet = await findSnippet(home, id, ctx, canEditSnippet);
  const { visibility } = change;
  const isOther = visibility && visibility !== snippet.visibility;
  refuseFaults({
    ...snippetFaults(change),
    ...(isOther ? restrictionFaults(visibility, signedIn(ctx), ctx.settings.current) : {}),
  });
  const data = given(change, ['description']);
  await ctx.db.snippet
    .update({ where: { id }, data, select: { id: true } })
    .catch(onRecordMissing(() => notFound('Snippet')));
}

/** Deletes a snippet with its notes. */
export async function deleteSnippet(home: SnippetHome, id: number, ctx: Context): Promise<void> {
  const snippet = await findSnippet(home, id, ctx, canEditSnippet);
  refuseModified(snippet, ctx);
  const { count } = await ctx.db.snippet.deleteMany({ where: { id } });
  if (count === 0) throw notFound('Snippet');
}
