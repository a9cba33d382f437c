import { builder } from '../kernel/builder.ts';
import { heavyCost, statementCost } from '../kernel/cost.ts';
import { internal } from '../kernel/public.ts';
import { belongsTo } from '../listing/listing.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { recordById } from '../listing/records.ts';
import { Milestone } from '../milestones/types.ts';
import { repositoryPageUrl } from '../repository/web-url.ts';
import { Release } from '../tags/types.ts';
import { User } from '../users/types.ts';
import { descriptionHtmlOf } from './description-html.ts';
import { detailsOf, milestonesOf, releasedAtOf } from './details.ts';
import { ReleaseLinkPage } from './link-types.ts';
import { linksOf } from './listing.ts';
import { archivesOf, ReleaseSource } from './sources.ts';

builder.prismaObjectFields(Release, (t) => ({
  name: t.string({
    description: 'The title; the name of the tag if none was given.',
    complexity: statementCost,
    resolve: async (release, _args, ctx) =>
      (await detailsOf(release, ctx))?.name ?? release.tagName,
  }),
  descriptionHtml: t.string({
    nullable: true,
    description:
      'The notes as HTML. Null if the notes of all releases of an operation are too long together.',
    extensions: internal,
    complexity: heavyCost,
    resolve: (release, _args, ctx) => descriptionHtmlOf(release, ctx),
  }),
  releasedAt: t.field({
    type: 'DateTime',
    description:
      'When the release took place or will; when it was created unless a time was given.',
    complexity: statementCost,
    resolve: async (release, _args, ctx) => releasedAtOf(release, await detailsOf(release, ctx)),
  }),
  isUpcoming: t.boolean({
    description: 'Whether `releasedAt` is in the future.',
    complexity: statementCost,
    resolve: async (release, _args, ctx) =>
      releasedAtOf(release, await detailsOf(release, ctx)).getTime() > Date.now(),
  }),
  author: t.prismaField({
    type: User,
    nullable: true,
    description:
      'The user who created it. Null if the account was deleted, and for releases of versions that did not record it.',
    complexity: statementCost,
    resolve: async (query, release, _args, ctx) => {
      const authorId = (await detailsOf(release, ctx))?.authorId ?? null;
      return authorId === null ? null : recordById(ctx, 'user', authorId, query);
    },
  }),
  milestones: t.field({
    type: [Milestone],
    description: 'The milestones that it completes, the oldest first. At most 100.',
    complexity: { field: statementCost, multiplier: 5 },
    resolve: async ({ id }, _args, ctx) => [...(await milestonesOf(id, ctx))],
  }),
  webUrl: t.field({
    type: 'URL',
    description: 'The address of the page of its tag.',
    complexity: statementCost,
    resolve: ({ projectId, tagName }, _args, ctx) =>
      repositoryPageUrl({ id: projectId }, `tags/${tagName}`, ctx),
  }),
  apiUrl: t.field({
    type: 'URL',
    description: 'The address of the release in the REST API.',
    extensions: internal,
    resolve: ({ projectId, tagName }, _args, { baseUrl }) =>
      `${baseUrl}/api/v4/projects/${projectId}/releases/${encodeURIComponent(tagName)}`,
  }),
  sources: t.field({
    type: [ReleaseSource],
    description: 'The archives of the code at the tag.',
    resolve: (release, _args, { baseUrl }) => archivesOf(release, baseUrl),
  }),
  links: t.field({
    type: ReleaseLinkPage,
    description: 'The links to files and pages, the newest first.',
    complexity: listingCost,
    args: pageArgs,
    resolve: ({ id }, page, ctx) => linksOf(belongsTo('release_id', id), page, ctx),
  }),
}));
