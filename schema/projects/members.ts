import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { recordNotFound } from '../kernel/errors.ts';
import { given } from '../kernel/given.ts';
import { internal } from '../kernel/public.ts';
import { done } from '../kernel/results.ts';
import { firstVisible, listingCost } from '../listing/page.ts';
import { storedRecord } from '../listing/records.ts';
import { addMember, removeMember, sourceColumns, updateMember } from '../members/members.ts';
import { Member, MemberPage } from '../members/types.ts';
import {
  findGroupOrProject,
  findReadableSource,
  findWithManagedMembers,
  type GroupOrProjectRef,
  sourceArgs,
} from './group-or-project.ts';
import { listMembers, memberEdgeArgs, ofInheritingSource, ofSource } from './member-list.ts';

const userArgs = builder.args((t) => ({
  userId: t.int({ required: true, description: 'The id of the user.' }),
}));

const accessLevel = 'The access level; only groups have owners.';

const expiry = builder.args((t) => ({
  expiresAt: t.field({
    type: 'Date',
    description: 'The day at whose start the membership ends; null for none.',
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
  allMembers: t.field({
    type: MemberPage,
    extensions: internal,
    complexity: listingCost,
    args: { ...sourceArgs, ...memberEdgeArgs },
    resolve: async (_root, { source: ref, ...args }, ctx) => {
      const { source } = await findReadableSource(ref, ctx);
      return listMembers(args, ctx, ofInheritingSource(source));
    },
  }),
  anyMember: t.prismaField({
    type: Member,
    extensions: internal,
    args: { ...sourceArgs, ...userArgs },
    resolve: async (query, _root, { source: ref, userId }, ctx, info) => {
      const { source } = await findReadableSource(ref, ctx);
      const member = await firstVisible(query, info, async () =>
        listMembers({ userId, perPage: 1 }, ctx, ofInheritingSource(source)),
      );
      if (!member) throw recordNotFound();
      return member;
    },
  }),
  member: t.prismaField({
    type: Member,
    extensions: internal,
    args: { ...sourceArgs, ...userArgs },
    resolve: async (query, _root, { source: ref, userId }, ctx) => {
      const where = { ...(await columnsOfReadable(ref, ctx)), userId };
      const member = await ctx.db.member.findFirst({ ...query, where });
      if (!member) throw recordNotFound();
      return member;
    },
  }),
}));

builder.mutationFields((t) => ({
  addMember: t.prismaField({
    type: Member,
    description:
      'Adds a member. Requires the access level MASTER in a project and OWNER in a group.',
    args: {
      ...sourceArgs,
      ...userArgs,
      ...expiry,
      accessLevel: t.arg.int({ required: true, description: accessLevel }),
    },
    resolve: async (query, _root, { source: ref, expiresAt, ...grant }, ctx) => {
      const membership = { ...grant, ...given({ expiresAt }) };
      const id = await addMember(await findWithManagedMembers(ref, ctx), membership, ctx);
      return storedRecord(ctx, 'member', id, query);
    },
  }),
  updateMember: t.prismaField({
    type: Member,
    description:
      'Changes a member; absent fields stay as they are. Requires the access level MASTER in a project and OWNER in a group.',
    args: {
      ...sourceArgs,
      ...userArgs,
      ...expiry,
      accessLevel: t.arg.int({ description: accessLevel }),
    },
    resolve: async (query, _root, { source: ref, userId, ...change }, ctx) => {
      const source = await findWithManagedMembers(ref, ctx);
      const id = await updateMember(source, { userId, ...given(change, ['expiresAt']) }, ctx);
      return storedRecord(ctx, 'member', id, query);
    },
  }),
}));

builder.mutationField('removeMember', (t) =>
  t.id({
    extensions: { identifies: 'User', payload: 'userId' },
    description:
      'Removes a member. Requires the access level MASTER in a project and OWNER in a group; all members may remove themselves.',
    args: { ...sourceArgs, ...userArgs },
    resolve: async (_root, { source: ref, userId }, ctx) => {
      // every member may leave
      const find = ctx.viewer?.id === userId ? findGroupOrProject : findWithManagedMembers;
      return done(removeMember(await find(ref, ctx), userId, ctx), userId);
    },
  }),
);
