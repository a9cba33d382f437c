import { builder } from '../kernel/builder.ts';
import { walkCost } from '../kernel/cost.ts';
import { invalid, notFound, rejected } from '../kernel/errors.ts';
import { publiclyNullable } from '../kernel/public.ts';
import { Repository } from '../repository/types.ts';
import { findCommit } from './find.ts';
import { Commit } from './types.ts';

builder.objectField(Repository, 'mergeBase', (t) =>
  t.field({
    type: Commit,
    description:
      'The newest commit that two branches, tags or commits have in common. An error NOT_FOUND if they have none.',
    extensions: publiclyNullable,
    complexity: walkCost,
    args: {
      refs: t.arg.stringList({ required: true, description: 'Two branches, tags or commit ids.' }),
    },
    resolve: async (repository, { refs }, ctx) => {
      const [first, second] = refs;
      if (first === undefined || second === undefined || refs.length > 2) {
        throw invalid({ refs: ['must be two'] });
      }
      const { git, request } = ctx;
      const [target, head] = await Promise.all([
        git.resolveCommit(repository, first),
        git.resolveCommit(repository, second),
      ]);
      const unknown = [target ? [] : first, head ? [] : second].flat();
      if (!target || !head) {
        const noun = unknown.length > 1 ? 'refs' : 'ref';
        throw rejected(`Could not find ${noun}: ${unknown.join(', ')}`);
      }
      const base = await git.mergeBase(repository, { target, head }, request.signal);
      if (base === null) throw notFound('Merge Base');
      return findCommit(repository, base, ctx);
    },
  }),
);
