import { Diff } from '../commits/diff.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { walkCost } from '../kernel/cost.ts';
import { internal } from '../kernel/public.ts';
import { loadedPage, pageArgs, rowsOf } from '../listing/page.ts';
import { pageType } from '../listing/page-types.ts';
import { rangeOf } from './range.ts';
import { MergeRequest } from './types.ts';

/** The changed files of a merge request, in the order of their paths. */
async function filesOf(
  { id, sha }: { readonly id: number; readonly sha: string | null },
  ctx: Context,
): Promise<readonly (typeof Diff.$inferType)[]> {
  const { repository, head, base } = await rangeOf({ id, sha }, ctx);
  if (head === null || base === undefined) return [];
  const { git, request } = ctx;
  const { files } =
    base === null
      ? await git.diff(repository, { from: null, to: head }, request.signal)
      : (await git.compare(repository, { from: base, to: head }, request.signal)).diffs;
  return files;
}

builder.objectField(MergeRequest, 'diffs', (t) =>
  t.field({
    type: [Diff],
    description:
      'The changed files since the source branch left the target branch, with the limits of a comparison.',
    complexity: { field: walkCost, multiplier: 50 },
    resolve: async (mergeRequest, _args, ctx) => [...(await filesOf(mergeRequest, ctx))],
  }),
);

builder.objectField(MergeRequest, 'diffPage', (t) =>
  t.field({
    type: pageType('Diff', Diff),
    extensions: internal,
    description: 'The same as pages.',
    complexity: { field: walkCost, multiplier: 50 },
    args: pageArgs,
    resolve: async (mergeRequest, page, ctx) => {
      const files = await filesOf(mergeRequest, ctx);
      const { skip, take } = rowsOf(page);
      return loadedPage(files.slice(skip, skip + take), files.length, page);
    },
  }),
);
