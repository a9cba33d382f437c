import { builder } from '../kernel/builder.ts';
import { forbidden } from '../kernel/errors.ts';
import { listingCost, pageArgs, rowsOf } from '../kernel/page.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { Account } from '../users/types.ts';
import { applicationNotFound, findApplication } from './application-find.ts';
import { canManageServiceApplications, canRegisterApplications } from './application-policy.ts';
import { OauthApplication, OauthApplicationPage } from './types.ts';

builder.queryFields((t) => ({
  oauthApplications: t.field({
    type: OauthApplicationPage,
    inPerson: true,
    description: 'Those that the viewer registered, or those of the service, for administrators.',
    complexity: listingCost,
    args: { ...pageArgs, isServiceWide: t.arg.boolean() },
    resolve: (_root, { isServiceWide, ...page }, ctx) => {
      const viewer = signedIn(ctx);
      if (isServiceWide && !canManageServiceApplications(viewer)) throw forbidden();
      const where = { ownerId: isServiceWide ? null : viewer.id };
      return {
        nodes: (query: object) =>
          ctx.db.oauthApplication.findMany({
            ...query,
            ...rowsOf(page),
            where,
            orderBy: { id: 'asc' },
          }),
        total: () => ctx.db.oauthApplication.count({ where }),
      };
    },
  }),
  oauthApplication: t.prismaField({
    type: OauthApplication,
    inPerson: true,
    args: { id: t.arg.int({ required: true }) },
    resolve: async (query, _root, { id }, ctx) => {
      await findApplication(id, ctx);
      const application = await ctx.db.oauthApplication.findUnique({ ...query, where: { id } });
      if (!application) throw applicationNotFound();
      return application;
    },
  }),
}));

builder.prismaObjectField(Account, 'canRegisterOauthApplications', (t) =>
  t.boolean({
    resolve: (user, _args, { settings }) => canRegisterApplications(user, settings.current),
  }),
);
