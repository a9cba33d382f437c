import { builder } from '../kernel/builder.ts';
import { heavyCost } from '../kernel/cost.ts';
import { resetPrivateToken } from '../tokens/private-token.ts';
import { requireOwnPassword, withPassword } from './own-password.ts';

builder.mutationField('resetPrivateToken', (t) =>
  t.string({
    description:
      'Revokes the private token of the current user and returns a new one. Requires the password, because the private token has all scopes, unlike the token of the request.',
    extensions: {
      payload: 'privateToken',
      payloadDescription: 'The new private token of the current user.',
    },
    inPerson: true,
    complexity: heavyCost,
    args: withPassword,
    resolve: async (_root, { password }, ctx) =>
      resetPrivateToken((await requireOwnPassword(password, ctx)).id, ctx),
  }),
);
