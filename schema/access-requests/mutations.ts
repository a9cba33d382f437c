import { Access } from '../kernel/access.ts';
import { builder } from '../kernel/builder.ts';
import { Member } from '../members/types.ts';
import { GroupOrProjectInput } from '../projects/group-or-project.ts';
import { approveRequest, denyRequest } from './answer.ts';
import { requestAccess } from './request.ts';
import { AccessRequest } from './types.ts';

const source = builder.args((t) => ({
  source: t.field({ type: GroupOrProjectInput, required: true }),
}));

const userArgs = builder.args((t) => ({ userId: t.int({ required: true }) }));

builder.mutationFields((t) => ({
  requestAccess: t.prismaField({
    type: AccessRequest,
    args: source,
    resolve: async (query, _root, { source: asked }, ctx) => {
      const id = await requestAccess(asked, ctx);
      return ctx.db.accessRequest.findUniqueOrThrow({ ...query, where: { id } });
    },
  }),
  approveAccessRequest: t.prismaField({
    type: Member,
    args: { ...source, ...userArgs, accessLevel: t.arg.int({ defaultValue: Access.developer }) },
    resolve: async (query, _root, { source: asked, userId, accessLevel }, ctx) => {
      const grant = { userId, accessLevel: accessLevel ?? Access.developer };
      const id = await approveRequest(asked, grant, ctx);
      return ctx.db.member.findUniqueOrThrow({ ...query, where: { id } });
    },
  }),
  denyAccessRequest: t.boolean({
    description: 'Ends a request; one’s own may be taken back.',
    args: { ...source, ...userArgs },
    resolve: async (_root, { source: asked, userId }, ctx) => {
      await denyRequest(asked, userId, ctx);
      return true;
    },
  }),
}));
