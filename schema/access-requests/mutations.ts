import { Access } from '../kernel/access.ts';
import { builder } from '../kernel/builder.ts';
import { done } from '../kernel/results.ts';
import { storedRecord } from '../listing/records.ts';
import { Member } from '../members/types.ts';
import { sourceArgs } from '../projects/group-or-project.ts';
import { approveRequest, denyRequest } from './answer.ts';
import { requestAccess } from './request.ts';
import { AccessRequest } from './types.ts';

const userArgs = builder.args((t) => ({
  userId: t.int({ required: true, description: 'The id of the user who requested access.' }),
}));

builder.mutationFields((t) => ({
  requestAccess: t.prismaField({
    type: AccessRequest,
    description:
      'Requests access to a group or project for the current user, who must see it and not be a member.',
    args: sourceArgs,
    resolve: async (query, _root, { source: ref }, ctx) => {
      const id = await requestAccess(ref, ctx);
      return storedRecord(ctx, 'accessRequest', id, query);
    },
  }),
  approveAccessRequest: t.prismaField({
    type: Member,
    description:
      'Makes the user who requested access a member. Requires the access level MASTER in a project and OWNER in a group.',
    args: {
      ...sourceArgs,
      ...userArgs,
      accessLevel: t.arg.int({
        defaultValue: Access.developer,
        description: 'The access level; only groups have owners.',
      }),
    },
    resolve: async (query, _root, { source: ref, userId, accessLevel }, ctx) => {
      const grant = { userId, accessLevel: accessLevel ?? Access.developer };
      const id = await approveRequest(ref, grant, ctx);
      return storedRecord(ctx, 'member', id, query);
    },
  }),
  denyAccessRequest: t.id({
    extensions: { identifies: 'User', payload: 'userId' },
    description:
      'Deletes an access request. Masters of the project, owners of the group and the user who requested access may do it.',
    args: { ...sourceArgs, ...userArgs },
    resolve: (_root, { source: ref, userId }, ctx) => done(denyRequest(ref, userId, ctx), userId),
  }),
}));
