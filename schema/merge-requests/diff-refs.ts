import { builder } from '../kernel/builder.ts';
import { walkCost } from '../kernel/cost.ts';
import { rangeOf } from './range.ts';
import { MergeRequest } from './types.ts';

interface Refs {
  readonly baseSha: string;
  readonly startSha: string;
  readonly headSha: string;
}

const MergeRequestDiffRefs = builder.objectRef<Refs>('MergeRequestDiffRefs').implement({
  description: 'The commits that a merge request compares, as positions of comments name them.',
  fields: (t) => ({
    baseSha: t.expose('baseSha', {
      type: 'SHA',
      description: 'The merge base: the changes since this commit are shown.',
    }),
    startSha: t.expose('startSha', {
      type: 'SHA',
      description: 'The commit of the target branch with which the head is compared.',
    }),
    headSha: t.expose('headSha', {
      type: 'SHA',
      description: 'The head commit of the source branch.',
    }),
  }),
});

builder.objectField(MergeRequest, 'diffRefs', (t) =>
  t.field({
    type: MergeRequestDiffRefs,
    nullable: true,
    description:
      'The commits that it compares. Null if a branch does not exist or the branches have no common commit.',
    complexity: walkCost,
    resolve: async ({ id, sha }, _args, ctx) => {
      const { repository, head, base: target } = await rangeOf({ id, sha }, ctx);
      if (head === null || target == null) return null;
      const { git, request } = ctx;
      const base = await git.mergeBase(repository, { target, head }, request.signal);
      return base === null ? null : { baseSha: base, startSha: target, headSha: head };
    },
  }),
);
