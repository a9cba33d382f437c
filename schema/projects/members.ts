import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { recordNotFound } from '../kernel/errors.ts';
import { done } from '../kernel/results.ts';
import { containsInsensitive } from '../kernel/search.ts';
import { listingCost, offsetPage, pageArgs, rowsOf } from '../listing/page.ts';
import { idsOf, inOrder } from '../listing/reader.ts';
import { addMember, removeMember, sourceColumns, updateMember } from '../members/members.ts';
import { Member, MemberPage } from '../members/types.ts';
import {
  findGroupOrProject,
  findReadableSource,
  findWithManagedMembers,
  type GroupOrProjectRef,
  sourceArgs,
} from './group-or-project.ts';

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
    complexity: listingCost,
    args: {
      ...sourceArgs,
      ...pageArgs,
      search: t.arg.string({ description: 'A part of the name or username, ignoring case.' }),
    },
    resolve: async (_root, { source: ref, search, ...page }, ctx) => {
      const where = {
        ...(await columnsOfReadable(ref, ctx)),
        ...(search && { user: { OR: nameMatches(search) } }),
      };
      return offsetPage(
        {
          nodes: async (query) =>
            inOrder(
              idsOf(
                await ctx.db.member.findMany({
                  select: { id: true },
                  ...rowsOf(page),
                  where,
                  orderBy: { id: 'asc' },
                }),
              ),
              (ids) =>
                ctx.db.member.findMany({ ...query, relationLoadStrategy: 'join', where: ids }),
            ),
          total: () => ctx.db.member.count({ where }),
        },
        page,
      );
    },
  }),
  member: t.prismaField({
    type: Member,
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

function nameMatches(search: string) {
  const text = containsInsensitive(search);
  return [{ name: text }, { username: text }];
}
