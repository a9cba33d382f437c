import { builder } from '../kernel/builder.ts';
import { forbidden } from '../kernel/errors.ts';
import { orThrow } from '../kernel/results.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { listingCost, pageArgs } from '../listing/page.ts';
import { recordPage } from '../listing/record-page.ts';
import { Account } from '../users/types.ts';
import { applicationNotFound, findApplication } from './application-find.ts';
import { canManageServiceApplications, canRegisterApplications } from './application-policy.ts';
import { OauthApplication, OauthApplicationPage } from './types.ts';

builder.queryFields((t) => ({
  oauthApplications: t.field({
    type: OauthApplicationPage,
    inPerson: true,
    description:
      'The applications that the current user registered, or the service-wide ones, the oldest first. Signed-in users.',
    complexity: listingCost,
    args: {
      ...pageArgs,
      isServiceWide: t.arg.boolean({
        description:
          'True: the service-wide applications; administrators only. False or null: those of the current user.',
      }),
    },
    resolve: (_root, { isServiceWide, ...page }, ctx) => {
      const viewer = signedIn(ctx);
      if (isServiceWide && !canManageServiceApplications(viewer)) throw forbidden();
      return recordPage(
        ctx.db.oauthApplication,
        { where: { ownerId: isServiceWide ? null : viewer.id }, orderBy: { id: 'asc' } },
        page,
      );
    },
  }),
  oauthApplication: t.prismaField({
    type: OauthApplication,
    description:
      'An application that the current user registered, or a service-wide one for administrators.',
    inPerson: true,
    args: { id: t.arg.int({ required: true, description: 'The id of the application.' }) },
    resolve: async (query, _root, { id }, ctx) => {
      await findApplication(id, ctx);
      return orThrow(
        ctx.db.oauthApplication.findUnique({ ...query, where: { id } }),
        applicationNotFound,
      );
    },
  }),
}));

builder.prismaObjectField(Account, 'canRegisterOauthApplications', (t) =>
  t.boolean({
    description:
      'Whether the user may register OAuth applications; see the setting `userOauthApplications`.',
    resolve: (user, _args, { settings }) => canRegisterApplications(user, settings.current),
  }),
);
