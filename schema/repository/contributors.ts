import { builder } from '../kernel/builder.ts';
import { walkCost } from '../kernel/cost.ts';
import { pathNotFound } from '../kernel/errors.ts';
import { publiclyNullable } from '../kernel/public.ts';
import { listingCost, loadedPage, pageArgs, rowsOf } from '../listing/page.ts';
import { pageType } from '../listing/page-types.ts';
import type { Contributor as Person } from '../ports/git/contributors.ts';
import { userByEmail } from '../users/by-email.ts';
import { User } from '../users/types.ts';
import { commitOf } from './commit-of.ts';
import { Repository } from './types.ts';

const Contributor = builder.objectRef<Person>('Contributor').implement({
  description: 'An author of commits, identified by the e-mail address.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The name in the newest commit.' }),
    email: t.exposeString('email', { description: 'The e-mail address in the commits.' }),
    user: t.field({
      type: User,
      description: 'The user who has the e-mail address verified. Null if no user has.',
      nullable: true,
      resolve: ({ email }, _args, ctx) => userByEmail(email, ctx),
    }),
    commitCount: t.exposeInt('commits', { description: 'The number of commits, without merges.' }),
    additions: t.exposeInt('additions', { description: 'The number of added lines.' }),
    deletions: t.exposeInt('deletions', { description: 'The number of deleted lines.' }),
  }),
});

const ContributorPage = pageType('Contributor', Contributor);

builder.objectField(Repository, 'contributors', (t) =>
  t.field({
    type: ContributorPage,
    description:
      'The authors of the newest 2000 commits of the default branch, most recent first. If counting takes too long, the lines of older commits are left out. An error NOT_FOUND for an empty repository.',
    extensions: publiclyNullable,
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
