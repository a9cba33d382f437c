import { builder } from '../kernel/builder.ts';
import { given } from '../kernel/given.ts';
import { orThrow } from '../kernel/results.ts';
import { changeApplication, removeApplication, renewSecret } from './application-change.ts';
import {
  applicationNotFound,
  findApplication,
  requireRegistrationAllowed,
} from './application-find.ts';
import {
  type RegisteredApplication as ApplicationWithSecret,
  registerApplication,
} from './application-register.ts';
import { OauthApplication } from './types.ts';

const RegisteredApplication = builder
  .objectRef<ApplicationWithSecret>('RegisteredOauthApplication')
  .implement({
    description: 'An application with its secret, which is shown only once.',
    extensions: { isPayload: true },
    fields: (t) => ({
      secret: t.exposeString('secret'),
      application: t.prismaField({
        type: OauthApplication,
        resolve: (query, { id }, _args, { db }) =>
          orThrow(db.oauthApplication.findUnique({ ...query, where: { id } }), applicationNotFound),
      }),
    }),
  });

builder.mutationFields((t) => ({
  createOauthApplication: t.field({
    type: RegisteredApplication,
    inPerson: true,
    args: {
      name: t.arg.string({ required: true }),
      /** Users are redirected to one of these, compared exactly. */
      redirectUris: t.arg.stringList({ required: true }),
      /** `api`, `read_user`, `openid`: what it may request. */
      scopes: t.arg.stringList({ required: true }),
      isConfidential: t.arg.boolean({ defaultValue: true }),
      /** Without an owner; administrators only. */
      isServiceWide: t.arg.boolean(),
      /** Needs no consent; service-wide applications only. */
      isTrusted: t.arg.boolean(),
    },
    resolve: (_root, { name, redirectUris, scopes, ...traits }, ctx) =>
      registerApplication(
        {
          name,
          redirectUris,
          scopes,
          isConfidential: traits.isConfidential ?? true,
          isServiceWide: traits.isServiceWide ?? false,
          isTrusted: traits.isTrusted ?? false,
        },
        ctx,
      ),
  }),
  updateOauthApplication: t.prismaField({
    type: OauthApplication,
    inPerson: true,
    description: 'Changes what is given.',
    args: {
      id: t.arg.int({ required: true }),
      name: t.arg.string(),
      redirectUris: t.arg.stringList(),
      scopes: t.arg.stringList(),
      isConfidential: t.arg.boolean(),
      isTrusted: t.arg.boolean(),
    },
    resolve: async (query, _root, { id, ...change }, ctx) => {
      const application = await findApplication(id, ctx);
      requireRegistrationAllowed(ctx);
      await changeApplication(application, given(change), ctx);
      return orThrow(
        ctx.db.oauthApplication.findUnique({ ...query, where: { id } }),
        applicationNotFound,
      );
    },
  }),
  renewOauthApplicationSecret: t.field({
    extensions: { identifies: 'OauthApplication' },
    type: RegisteredApplication,
    inPerson: true,
    description: 'Ends the secret there is and gives another one.',
    args: { id: t.arg.int({ required: true }) },
    resolve: async (_root, { id }, ctx) => {
      const application = await findApplication(id, ctx);
      requireRegistrationAllowed(ctx);
      return { id, secret: await renewSecret(application, ctx) };
    },
  }),
  deleteOauthApplication: t.id({
    description: 'Its codes and tokens are deleted with it.',
    extensions: { identifies: 'OauthApplication' },
    inPerson: true,
    args: { id: t.arg.int({ required: true }) },
    resolve: async (_root, { id }, ctx) => {
      await removeApplication(await findApplication(id, ctx), ctx);
      return id;
    },
  }),
}));
