import { builder } from '../kernel/builder.ts';
import { given } from '../kernel/given.ts';
import { endingWith, publiclyTyped } from '../kernel/public.ts';
import { orThrow } from '../kernel/results.ts';
import { recordById } from '../listing/records.ts';
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
      oauthApplication: t.prismaField({
        type: OauthApplication,
        description: 'The application.',
        resolve: (query, { id }, _args, ctx) =>
          orThrow(recordById(ctx, 'oauthApplication', id, query), applicationNotFound),
      }),
    }),
  });

/** What a new application must have and a change may have. */
const registration = <Required extends boolean>(required: Required) =>
  builder.args((t) => ({
    name: t.string({
      required,
      description: 'The name of the application, at most 255 characters.',
    }),
    redirectUris: t.stringList({
      required,
      description: 'The absolute URIs to which users may be redirected, compared exactly: 1 to 20.',
      extensions: publiclyTyped('URL'),
    }),
    scopes: t.stringList({
      required,
      description: 'What the application may request. At least one.',
      extensions: publiclyTyped('TokenScope'),
    }),
  }));

const traits = builder.args((t) => ({
  isConfidential: t.boolean({
    description:
      'Whether the application can keep its secret. False for programs on the devices of their users.',
    extensions: endingWith({ creating: 'Default: true.' }),
  }),
  isTrusted: t.boolean({
    description: 'Whether users need not consent. Service-wide applications only.',
  }),
}));

builder.mutationFields((t) => ({
  createOauthApplication: t.field({
    type: RegisteredApplication,
    inPerson: true,
    description:
      'Registers an OAuth application and returns its secret, which is shown only once. At most 100 per user.',
    args: {
      ...registration(true),
      ...traits,
      isServiceWide: t.arg.boolean({
        description:
          'Whether the application belongs to the instance and not to the current user. Only administrators may set it.',
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
      'Changes an application; absent fields stay as they are. Deleting a redirect URI deletes its unused codes. The owner may do it, and administrators for a service-wide application.',
    args: {
      id: t.arg.int({ required: true, description: 'The id of the application.' }),
      ...registration(false),
      ...traits,
    },
    resolve: async (query, _root, { id, ...change }, ctx) => {
      const application = await findApplication(id, ctx);
      requireRegistrationAllowed(ctx);
      await changeApplication(application, given(change), ctx);
      return orThrow(recordById(ctx, 'oauthApplication', id, query), applicationNotFound);
    },
  }),
  resetOauthApplicationSecret: t.field({
    extensions: { identifies: 'OauthApplication' },
    type: RegisteredApplication,
    inPerson: true,
    description:
      'Replaces the secret of an application and returns the new one, which is shown only once. The owner may do it, and administrators for a service-wide application.',
    args: { id: t.arg.int({ required: true, description: 'The id of the application.' }) },
    resolve: async (_root, { id }, ctx) => {
      const application = await findApplication(id, ctx);
      requireRegistrationAllowed(ctx);
      return { id, secret: await renewSecret(application, ctx) };
    },
  }),
  deleteOauthApplication: t.id({
    description:
      'Deletes an application with its codes and tokens. The owner may do it, and administrators for a service-wide application.',
    extensions: { identifies: 'OauthApplication' },
    inPerson: true,
    args: { id: t.arg.int({ required: true, description: 'The id of the application.' }) },
    resolve: async (_root, { id }, ctx) => {
      await removeApplication(await findApplication(id, ctx), ctx);
      return id;
    },
  }),
}));
