import { listGroups } from '../groups/filter.ts';
import { GroupPage } from '../groups/types.ts';
import { listIssues } from '../issues/filter.ts';
import { IssuePage } from '../issues/types.ts';
import { visibleIssues } from '../issues/visible.ts';
import { builder } from '../kernel/builder.ts';
import { containsText } from '../kernel/sql.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { listMergeRequests } from '../merge-requests/filter.ts';
import { MergeRequestPage } from '../merge-requests/types.ts';
import { visibleMergeRequests } from '../merge-requests/visible.ts';
import { listMilestones } from '../milestones/filter.ts';
import { MilestonePage } from '../milestones/types.ts';
import { visibleMilestones } from '../milestones/visible.ts';
import { listProjects } from '../projects/filter.ts';
import { ProjectPage } from '../projects/types.ts';
import { snippetPage } from '../snippets/listing.ts';
import { SnippetPage } from '../snippets/types.ts';
import { readableSnippets } from '../snippets/visible.ts';
import { listUsers } from '../users/listing.ts';
import { canListUsers } from '../users/policy.ts';
import { UserPage } from '../users/types.ts';

interface Search {
  readonly text: string;
}

const listing = { complexity: listingCost, args: pageArgs } as const;
const signedInListing = { ...listing, nullable: true } as const;

/** The listings that a search can read; each is read only if it is selected. */
export const SearchResults = builder.objectRef<Search>('SearchResults').implement({
  description:
    'The records that contain the text of a search, in any case, by kind. Each kind has only records that the current user may see.',
  fields: (t) => ({
    projects: t.field({
      ...listing,
      type: ProjectPage,
      description:
        'The projects with the text in their name, path, description or the name of their namespace, the newest first; archived ones, too.',
      resolve: ({ text: search }, page, ctx) =>
        listProjects({ ...page, filter: { search, archived: 'include' } }, ctx),
    }),
    groups: t.field({
      ...listing,
      type: GroupPage,
      description: 'The groups with the text in their name or path, by name.',
      resolve: ({ text: search }, page, ctx) => listGroups({ ...page, filter: { search } }, ctx),
    }),
    users: t.field({
      ...signedInListing,
      type: UserPage,
      description:
        'The users with the text in their name or username, or with the text as their e-mail address, the newest first. Administrators also find parts of addresses. Null for an anonymous user.',
      resolve: ({ text: search }, page, ctx) =>
        canListUsers(ctx.viewer, null) ? listUsers({ ...page, filter: { search } }, ctx) : null,
    }),
    issues: t.field({
      ...signedInListing,
      type: IssuePage,
      description:
        'The issues with the text in their title or description, the newest first. Null for an anonymous user.',
      resolve: ({ text: search }, page, ctx) =>
        ctx.viewer &&
        listIssues({ ...page, filter: { search } }, ctx.viewer, ctx, visibleIssues(ctx.viewer)),
    }),
    mergeRequests: t.field({
      ...listing,
      type: MergeRequestPage,
      description:
        'The merge requests with the text in their title or description, the newest first.',
      resolve: ({ text: search }, page, ctx) =>
        listMergeRequests({ ...page, filter: { search } }, ctx, visibleMergeRequests(ctx.viewer)),
    }),
    milestones: t.field({
      ...signedInListing,
      type: MilestonePage,
      description:
        'The milestones of projects and groups with the text in their title or description, the newest first. Null for an anonymous user.',
      resolve: ({ text: search }, page, ctx) =>
        ctx.viewer &&
        listMilestones({ ...page, filter: { search } }, ctx, [visibleMilestones(ctx.viewer)]),
    }),
    snippets: t.field({
      ...signedInListing,
      type: SnippetPage,
      description:
        'The snippets with the text in their title or file name, the newest first. Null for an anonymous user.',
      resolve: ({ text }, page, ctx) =>
        ctx.viewer &&
        snippetPage(
          ctx,
          [...readableSnippets(ctx.viewer), containsText(text, ['title', 'file_name'])],
          page,
        ),
    }),
  }),
});
