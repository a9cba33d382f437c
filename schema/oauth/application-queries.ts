import { Prisma } from '../../prisma/client.ts';
import { Admin } from '../administration/types.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { forbidden } from '../kernel/errors.ts';
import { internal } from '../kernel/public.ts';
import { orThrow } from '../kernel/results.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { describeModel } from '../listing/described.ts';
import { belongsTo } from '../listing/listing.ts';
import { listingCost, type Page, type PageArgs, pageArgs } from '../listing/page.ts';
import { pageOfRecords, recordById } from '../listing/records.ts';
import { Account, User } from '../users/types.ts';
import { applicationNotFound, findApplication } from './application-find.ts';
import { canManageServiceApplications, canRegisterApplications } from './application-policy.ts';
import { OauthApplication, OauthApplicationPage } from './types.ts';

describeModel('OauthApplication', { computed: { isServiceWide: ['ownerId'] } });

builder.queryFields((t) => ({
  oauthApplications: t.field({
    type: OauthApplicationPage,
    inPerson: true,
    extensions: internal,
    complexity: listingCost,
    args: {
      ...pageArgs,
      isServiceWide: t.arg.boolean(),
    },
    resolve: (_root, { isServiceWide, ...page }, ctx) => {
      const viewer = signedIn(ctx);
      if (isServiceWide && !canManageServiceApplications(viewer)) throw forbidden();
      return applicationsOf(isServiceWide ? null : viewer.id, page, ctx);
    },
  }),
  oauthApplication: t.prismaField({
    type: OauthApplication,
    extensions: internal,
    description:
      'An application that the current user registered, or a service-wide one for administrators.',
    inPerson: true,
    args: { id: t.arg.int({ required: true, description: 'The id of the application.' }) },
    resolve: async (query, _root, { id }, ctx) => {
      await findApplication(id, ctx);
      return orThrow(recordById(ctx, 'oauthApplication', id, query), applicationNotFound);
    },
  }),
}));

/** A page of the applications that a user registered, or of the service-wide ones. */
const applicationsOf = (
  ownerId: number | null,
  page: PageArgs,
  ctx: Pick<Context, 'db' | 'viewer'>,
): Page<typeof OauthApplication.$inferType> =>
  pageOfRecords(ctx, {
    table: 'oauth_applications',
    column: 'id',
    direction: 'asc',
    page,
    ...(ownerId === null
      ? { where: Prisma.sql`owner_id IS NULL` }
      : { where: Prisma.sql`true`, parent: belongsTo('owner_id', ownerId) }),
  });

builder.prismaObjectField(User, 'oauthApplications', (t) =>
  t.field({
    type: OauthApplicationPage,
    nullable: true,
    inPerson: true,
    description:
      'The OAuth applications that the user registered, the oldest first. Null except for the user.',
    complexity: listingCost,
    args: pageArgs,
    select: { id: true },
    resolve: ({ id }, page, ctx) => (ctx.viewer?.id === id ? applicationsOf(id, page, ctx) : null),
  }),
);

builder.objectField(Admin, 'oauthApplications', (t) =>
  t.field({
    type: OauthApplicationPage,
    inPerson: true,
    description: 'The service-wide OAuth applications, the oldest first.',
    complexity: listingCost,
    args: pageArgs,
    resolve: (_admin, page, ctx) => applicationsOf(null, page, ctx),
  }),
);

builder.prismaObjectField(Account, 'canRegisterOauthApplications', (t) =>
  t.boolean({
    description:
      'Whether the user may register OAuth applications; see the setting `userOauthApplications`.',
    resolve: (user, _args, { settings }) => canRegisterApplications(user, settings.current),
  }),
);
