import { Diff } from '../commits/diff.ts';
import { builder } from '../kernel/builder.ts';
import { walkCost } from '../kernel/cost.ts';
import { rangeOf } from './range.ts';
import { MergeRequest } from './types.ts';

builder.objectField(MergeRequest, 'diffs', (t) =>
  t.field({
    type: [Diff],
    description:
      'The changed files since the source branch left the target branch, with the limits of a comparison.',
    complexity: { field: walkCost, multiplier: 50 },
    resolve: async ({ id, sha }, _args, ctx) => {
      const { repository, head, base } = await rangeOf({ id, sha }, ctx);
      if (head === null || base === undefined) return [];
      const { git, request } = ctx;
      const { files } =
        base === null
          ? await git.diff(repository, { from: null, to: head }, request.signal)
          : (await git.compare(repository, { from: base, to: head }, request.signal)).diffs;
      return [...files];
    },
  }),
);
