import { Prisma, type Release, type ReleaseLink } from '../../prisma/client.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { belongsTo, type Parent } from '../listing/listing.ts';
import type { Page, PageArgs } from '../listing/page.ts';
import { pageOfRecords } from '../listing/records.ts';
import { SortDirection } from '../listing/sort.ts';

const ReleaseOrder = builder.enumType('ReleaseOrder', {
  description: 'What releases are ordered by.',
  values: {
    createdAt: { description: 'When they were created.' },
    releasedAt: { description: 'When they took place or will.' },
  } as const,
});

/** The order of every listing of releases. */
export const releaseOrderArgs = builder.args((t) => ({
  orderBy: t.field({
    type: ReleaseOrder,
    defaultValue: 'createdAt',
    description: 'The order of the listing.',
  }),
  sort: t.field({ type: SortDirection, defaultValue: 'desc', description: 'Its direction.' }),
}));

interface ListArgs extends PageArgs {
  readonly orderBy?: 'createdAt' | 'releasedAt' | null | undefined;
  readonly sort?: 'asc' | 'desc' | null | undefined;
}

/** Of a release without a time of its own, when it was created. */
const releasedAt = `coalesce(
  (SELECT released_at FROM release_details WHERE release_id = releases.id), created_at)`;

/** A page of the releases of a project. */
export const listReleases = (
  projectId: number,
  { orderBy, sort, ...page }: ListArgs,
  ctx: Pick<Context, 'db' | 'viewer'>,
): Page<Release> => {
  const direction = sort ?? 'desc';
  return pageOfRecords(ctx, {
    table: 'releases',
    where: Prisma.sql`true`,
    column: 'id',
    direction,
    ...(orderBy === 'releasedAt' && {
      order: `${releasedAt} ${direction}, id ${direction}`,
    }),
    page,
    parent: belongsTo('project_id', projectId),
  });
};

/** The newest release of a project whose time has come, as a page of at most one. */
export const latestRelease = (
  projectId: number,
  ctx: Pick<Context, 'db' | 'viewer'>,
): Page<Release> =>
  pageOfRecords(ctx, {
    table: 'releases',
    where: Prisma.sql`${Prisma.raw(releasedAt)} <= now()`,
    column: 'id',
    direction: 'desc',
    order: `${releasedAt} desc, id desc`,
    page: { perPage: 1 },
    parent: belongsTo('project_id', projectId),
  });

/** A page of the links of a release, the newest first. */
export const linksOf = (
  release: Parent,
  page: PageArgs,
  ctx: Pick<Context, 'db' | 'viewer'>,
): Page<ReleaseLink> =>
  pageOfRecords(ctx, {
    table: 'release_links',
    where: Prisma.sql`true`,
    column: 'id',
    direction: 'desc',
    page,
    parent: release,
  });
