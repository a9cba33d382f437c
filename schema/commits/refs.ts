import { builder } from '../kernel/builder.ts';
import { walkCost } from '../kernel/cost.ts';
import { listingCost, loadedPage, pageArgs, rowsOf } from '../listing/page.ts';
import { pageType } from '../listing/page-types.ts';
import type { NamedRef } from '../ports/git/branches.ts';
import { Commit } from './types.ts';

const RefKind = builder.enumType('RefKind', {
  description: 'The kind of a reference.',
  values: {
    branch: { description: 'A branch.' },
    tag: { description: 'A tag.' },
  } as const,
});

const CommitRef = builder.objectRef<NamedRef>('CommitRef').implement({
  description: 'A branch or tag from which a commit can be reached.',
  fields: (t) => ({
    kind: t.expose('kind', { type: RefKind, description: 'Whether it is a branch or a tag.' }),
    name: t.exposeString('name', { description: 'The name of the branch or tag.' }),
  }),
});

const CommitRefPage = pageType('CommitRef', CommitRef);

const CommitRefFilter = builder.inputType('CommitRefFilter', {
  description: 'Which branches and tags a listing has: those that match all fields.',
  fields: (t) => ({
    refKind: t.field({ type: RefKind, description: 'Only references of this kind.' }),
  }),
});

builder.objectField(Commit, 'refs', (t) =>
  t.field({
    type: CommitRefPage,
    description:
      'The branches and tags from which the commit can be reached, branches first, by name. An error if the search takes more than 60 s.',
    complexity: (page) => ({ ...listingCost(page), field: walkCost }),
    args: {
      ...pageArgs,
      filter: t.arg({
        type: CommitRefFilter,
        description: 'Which of these references are listed.',
      }),
    },
    resolve: async ({ id, repository }, { filter, ...page }, { git, request }) => {
      const kinds = filter?.refKind ? [filter.refKind] : (['branch', 'tag'] as const);
      const refs = await git.refsWith(repository, id, kinds, request.signal);
      const { skip, take } = rowsOf(page);
      return loadedPage(refs.slice(skip, skip + take), refs.length, page);
    },
  }),
);
