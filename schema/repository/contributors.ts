import { builder } from '../kernel/builder.ts';
import { walkCost } from '../kernel/cost.ts';
import { pathNotFound } from '../kernel/errors.ts';
import { listingCost, loadedPage, pageArgs, rowsOf } from '../listing/page.ts';
import { loadedPageType } from '../listing/page-types.ts';
import type { Contributor as Person } from '../ports/git/contributors.ts';
import { commitOf } from './commit-of.ts';
import { Repository } from './types.ts';

const Contributor = builder.objectRef<Person>('Contributor').implement({
  fields: (t) => ({
    name: t.exposeString('name'),
    email: t.exposeString('email'),
    commits: t.exposeInt('commits'),
    additions: t.exposeInt('additions'),
    deletions: t.exposeInt('deletions'),
  }),
});

const ContributorPage = loadedPageType('Contributor', Contributor);

builder.objectField(Repository, 'contributors', (t) =>
  t.field({
    type: ContributorPage,
    description: 'Who wrote the newest commits of the default branch.',
    complexity: (page) => ({ ...listingCost(page), field: walkCost }),
    args: pageArgs,
    resolve: async (repository, page, { git, request }) => {
      const commit = await commitOf(repository, null, git);
      if (!commit) throw pathNotFound();
      const contributors = await git.contributors(repository, commit, request.signal);
      const { skip, take } = rowsOf(page);
      return loadedPage(contributors.slice(skip, skip + take), contributors.length, page);
    },
  }),
);
