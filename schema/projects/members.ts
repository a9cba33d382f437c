import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { recordNotFound } from '../kernel/errors.ts';
import { internal } from '../kernel/public.ts';
import { done } from '../kernel/results.ts';
import { listingCost } from '../listing/page.ts';
import { addMember, removeMember, sourceColumns, updateMember } from '../members/members.ts';
import { Member, MemberPage } from '../members/types.ts';
import {
  findGroupOrProject,
  findReadableSource,
  findWithManagedMembers,
  type GroupOrProjectRef,
  sourceArgs,
} from './group-or-project.ts';
import { listMembers, memberEdgeArgs, ofSource } from './member-list.ts';

const userArgs = builder.args((t) => ({
  userId: t.int({ required: true, description: 'The id of the user.' }),
}));

const grant = builder.args((t) => ({
  accessLevel: t.int({
    required: true,
    description: 'The access level; only groups have owners.',
  }),
  expiresAt: t.field({
    type: 'Date',
    description: 'The day at whose start the membership ends; if it is absent, nothing changes.',
  }),
}));

const columnsOfReadable = async (ref: GroupOrProjectRef, ctx: Context) =>
  sourceColumns((await findReadableSource(ref, ctx)).source);

builder.queryFields((t) => ({
  members: t.field({
    type: MemberPage,
    extensions: internal,
    complexity: listingCost,
    args: { ...sourceArgs, ...memberEdgeArgs },
    resolve: async (_root, { source: ref, ...args }, ctx) => {
      const { source } = await findReadableSource(ref, ctx);
      return listMembers(args, ctx, ofSource(source));
    },
  }),
  member: t.prismaField({
    type: Member,
    description:
      'The direct membership of a user in a group or project that the current user may see. Signed-in users.',
    args: { ...sourceArgs, ...userArgs },
    resolve: async (query, _root, { source: ref, userId }, ctx) => {
      const where = { ...(await columnsOfReadable(ref, ctx)), userId };
      const member = await ctx.db.member.findFirst({ ...query, where });
      if (!member) throw recordNotFound();
      return member;
    },
  }),
}));

for (const [field, write, description] of [
  ['addMember', addMember, 'Adds a member. Masters of a project, owners of a group.'],
  ['updateMember', updateMember, 'Changes a member. Masters of a project, owners of a group.'],
] as const) {
  builder.mutationField(field, (t) =>
    t.prismaField({
      type: Member,
      description,
      args: { ...sourceArgs, ...userArgs, ...grant },
      resolve: async (query, _root, { source: ref, expiresAt, ...grant }, ctx) => {
        const source = await findWithManagedMembers(ref, ctx);
        // an omitted date leaves the existing one unchanged
        const id = await write(source, { ...grant, ...(expiresAt && { expiresAt }) }, ctx);
        return ctx.db.member.findUniqueOrThrow({ ...query, where: { id } });
      },
    }),
  );
}

builder.mutationField('removeMember', (t) =>
  t.id({
    extensions: { identifies: 'User', payload: 'userId' },
    description:
      'Removes a member. Masters of a project and owners of a group; all members may remove themselves.',
    args: { ...sourceArgs, ...userArgs },
    resolve: async (_root, { source: ref, userId }, ctx) => {
      // every member may leave
      const find = ctx.viewer?.id === userId ? findGroupOrProject : findWithManagedMembers;
      return done(removeMember(await find(ref, ctx), userId, ctx), userId);
    },
  }),
);
