import { Access } from '../kernel/access.ts';
import { builder } from '../kernel/builder.ts';
import { done } from '../kernel/results.ts';
import { Member } from '../members/types.ts';
import { sourceArgs } from '../projects/group-or-project.ts';
import { approveRequest, denyRequest } from './answer.ts';
import { requestAccess } from './request.ts';
import { AccessRequest } from './types.ts';

const userArgs = builder.args((t) => ({ userId: t.int({ required: true }) }));

builder.mutationFields((t) => ({
  requestAccess: t.prismaField({
    type: AccessRequest,
    args: sourceArgs,
    resolve: async (query, _root, { source: ref }, ctx) => {
      const id = await requestAccess(ref, ctx);
      return ctx.db.accessRequest.findUniqueOrThrow({ ...query, where: { id } });
    },
  }),
  approveAccessRequest: t.prismaField({
    type: Member,
    args: {
      ...sourceArgs,
      ...userArgs,
      accessLevel: t.arg.int({ defaultValue: Access.developer }),
    },
    resolve: async (query, _root, { source: ref, userId, accessLevel }, ctx) => {
      const grant = { userId, accessLevel: accessLevel ?? Access.developer };
      const id = await approveRequest(ref, grant, ctx);
      return ctx.db.member.findUniqueOrThrow({ ...query, where: { id } });
    },
  }),
  denyAccessRequest: t.boolean({
    description: 'Ends a request; one’s own may be taken back.',
    args: { ...sourceArgs, ...userArgs },
    resolve: (_root, { source: ref, userId }, ctx) => done(denyRequest(ref, userId, ctx)),
  }),
}));
