import { builder } from '../kernel/builder.ts';
import { statementCost } from '../kernel/cost.ts';
import { notFound } from '../kernel/errors.ts';
import { internal } from '../kernel/public.ts';
import { ifVisible, orThrow } from '../kernel/results.ts';
import { firstVisible, listingCost, pageArgs } from '../listing/page.ts';
import { findProject, projectById } from '../projects/find.ts';
import { canDownloadCode } from '../projects/policy.ts';
import { Project } from '../projects/types.ts';
import { Release, ReleasePage } from '../tags/types.ts';
import { findLink, findRelease, releaseNotFound } from './find.ts';
import { ReleaseLink } from './link-types.ts';
import { latestRelease, listReleases, releaseOrderArgs } from './listing.ts';

const releaseArgs = builder.args((t) => ({
  project: t.id({ required: true, description: 'The project.' }),
  tagName: t.string({ required: true, description: 'The name of the tag.' }),
}));

builder.prismaObjectField(Project, 'releases', (t) =>
  t.field({
    type: ReleasePage,
    description:
      'The releases, newest first by default. Null if the current user cannot read the code of the project.',
    nullable: true,
    complexity: listingCost,
    args: { ...pageArgs, ...releaseOrderArgs },
    select: { id: true },
    resolve: ({ id }, args, ctx) =>
      ifVisible(async () => {
        await projectById(id, ctx, canDownloadCode);
        return listReleases(id, args, ctx);
      }),
  }),
);

builder.prismaObjectField(Project, 'latestRelease', (t) =>
  t.prismaField({
    type: Release,
    nullable: true,
    complexity: statementCost,
    description:
      'The newest release by `releasedAt` that is not upcoming. Null if there is none, and if the current user cannot read the code of the project.',
    select: { id: true },
    resolve: (query, { id }, _args, ctx, info) =>
      firstVisible(query, info, async () => {
        await projectById(id, ctx, canDownloadCode);
        return latestRelease(id, ctx);
      }),
  }),
);

builder.queryFields((t) => ({
  latestRelease: t.prismaField({
    type: Release,
    description: 'The newest release of a project that is not upcoming.',
    extensions: internal,
    args: { project: t.arg.id({ required: true, description: 'The project.' }) },
    resolve: async (query, _root, { project }, ctx, info) => {
      const { id } = await findProject(project, ctx, canDownloadCode);
      const latest = firstVisible(query, info, async () => latestRelease(id, ctx));
      return orThrow(latest, releaseNotFound);
    },
  }),
  releases: t.field({
    type: ReleasePage,
    description: 'The releases of a project, newest first by default.',
    extensions: internal,
    complexity: listingCost,
    args: {
      project: t.arg.id({ required: true, description: 'The project.' }),
      ...pageArgs,
      ...releaseOrderArgs,
    },
    resolve: async (_root, { project, ...args }, ctx) => {
      const { id } = await findProject(project, ctx, canDownloadCode);
      return listReleases(id, args, ctx);
    },
  }),
  release: t.field({
    type: Release,
    description: 'The release of a tag.',
    extensions: internal,
    args: releaseArgs,
    resolve: (_root, ref, ctx) => findRelease(ref, ctx),
  }),
  releaseLink: t.field({
    type: ReleaseLink,
    description: 'A link of a release.',
    extensions: internal,
    args: {
      ...releaseArgs,
      id: t.arg.int({ required: true, description: 'The id of the link.' }),
    },
    resolve: async (_root, { id, ...ref }, ctx) => findLink(await findRelease(ref, ctx), id, ctx),
  }),
  releaseDownload: t.field({
    type: ReleaseLink,
    description: 'The link of a release with a path.',
    extensions: internal,
    args: {
      ...releaseArgs,
      path: t.arg.string({ required: true, description: 'The path, with a leading slash.' }),
    },
    resolve: async (_root, { path, ...ref }, ctx) => {
      const { id: releaseId } = await findRelease(ref, ctx);
      const where = { releaseId_path: { releaseId, path } };
      return orThrow(ctx.db.releaseLink.findUnique({ where }), () => notFound('Link'));
    },
  }),
}));
