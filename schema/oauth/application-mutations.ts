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
      secret: t.exposeString('secret', { description: 'The secret, which is shown only once.' }),
      application: t.prismaField({
        type: OauthApplication,
        description: 'The application.',
        resolve: (query, { id }, _args, { db }) =>
          orThrow(db.oauthApplication.findUnique({ ...query, where: { id } }), applicationNotFound),
      }),
    }),
  });

builder.mutationFields((t) => ({
  createOauthApplication: t.field({
    type: RegisteredApplication,
    inPerson: true,
    description:
      'Registers an OAuth application and returns its secret, which is shown only once. At most 100 per user.',
    args: {
      name: t.arg.string({
        required: true,
        description: 'The name of the application, at most 255 characters.',
      }),
      redirectUris: t.arg.stringList({
        required: true,
        description:
          'The absolute URIs to which users may be redirected, compared exactly: 1 to 20.',
      }),
      scopes: t.arg.stringList({
        required: true,
        description:
          'What the application may request: `api`, `read_user`, `openid`. At least one.',
      }),
      isConfidential: t.arg.boolean({
        defaultValue: true,
        description:
          'Whether the application can keep its secret. False for programs on the devices of their users. Default: true.',
      }),
      isServiceWide: t.arg.boolean({
        description:
          'Whether the application belongs to the instance and not to the current user. Administrators only.',
      }),
      isTrusted: t.arg.boolean({
        description: 'Whether users need not consent. Service-wide applications only.',
      }),
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
    description:
      'Changes an application; absent fields stay as they are. Deleting a redirect URI deletes its unused codes. The owner; administrators for service-wide applications.',
    args: {
      id: t.arg.int({ required: true, description: 'The id of the application.' }),
      name: t.arg.string({ description: 'The name of the application, at most 255 characters.' }),
      redirectUris: t.arg.stringList({
        description:
          'The absolute URIs to which users may be redirected, compared exactly: 1 to 20.',
      }),
      scopes: t.arg.stringList({
        description:
          'What the application may request: `api`, `read_user`, `openid`. At least one.',
      }),
      isConfidential: t.arg.boolean({
        description:
          'Whether the application can keep its secret. False for programs on the devices of their users. Default: true.',
      }),
      isTrusted: t.arg.boolean({
        description: 'Whether users need not consent. Service-wide applications only.',
      }),
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
    description:
      'Replaces the secret of an application and returns the new one, which is shown only once. The owner; administrators for service-wide applications.',
    args: { id: t.arg.int({ required: true, description: 'The id of the application.' }) },
    resolve: async (_root, { id }, ctx) => {
      const application = await findApplication(id, ctx);
      requireRegistrationAllowed(ctx);
      return { id, secret: await renewSecret(application, ctx) };
    },
  }),
  deleteOauthApplication: t.id({
    description:
      'Deletes an application with its codes and tokens. The owner; administrators for service-wide applications.',
    extensions: { identifies: 'OauthApplication' },
    inPerson: true,
    args: { id: t.arg.int({ required: true, description: 'The id of the application.' }) },
    resolve: async (_root, { id }, ctx) => {
      await removeApplication(await findApplication(id, ctx), ctx);
      return id;
    },
  }),
}));
