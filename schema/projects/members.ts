import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { recordNotFound, unauthenticated } from '../kernel/errors.ts';
import { idsOf, inOrder } from '../kernel/listing.ts';
import { listingCost, pageArgs, rowsOf } from '../kernel/page.ts';
import { containsInsensitive } from '../kernel/search.ts';
import { addMember, removeMember, sourceColumns, updateMember } from '../members/members.ts';
import { Member, MemberPage } from '../members/types.ts';
import {
  findGroupOrProject,
  findWithManagedMembers,
  GroupOrProjectInput,
  type GroupOrProjectRef,
} from './group-or-project.ts';

const source = builder.args((t) => ({
  source: t.field({ type: GroupOrProjectInput, required: true }),
}));

const userArgs = builder.args((t) => ({ userId: t.int({ required: true }) }));

const grant = builder.args((t) => ({
  accessLevel: t.int({ required: true }),
  expiresAt: t.field({ type: 'Date' }),
}));

/** Members are listed for signed-in users only, even of public projects (v4-behaviour 1.4). */
async function findListable(ref: GroupOrProjectRef, ctx: Context) {
  if (!ctx.viewer) throw unauthenticated();
  return sourceColumns(await findGroupOrProject(ref, ctx));
}

builder.queryFields((t) => ({
  members: t.field({
    type: MemberPage,
    complexity: listingCost,
    args: { ...source, ...pageArgs, search: t.arg.string() },
    resolve: async (_root, { source: asked, search, ...page }, ctx) => {
      const where = {
        ...(await findListable(asked, ctx)),
        ...(search && { user: { OR: named(search) } }),
      };
      return {
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
            (ids) => ctx.db.member.findMany({ ...query, relationLoadStrategy: 'join', where: ids }),
          ),
        total: () => ctx.db.member.count({ where }),
      };
    },
  }),
  member: t.prismaField({
    type: Member,
    args: { ...source, ...userArgs },
    resolve: async (query, _root, { source: asked, userId }, ctx) => {
      const where = { ...(await findListable(asked, ctx)), userId };
      const member = await ctx.db.member.findFirst({ ...query, where });
      if (!member) throw recordNotFound();
      return member;
    },
  }),
}));

builder.mutationFields((t) => ({
  addMember: t.prismaField({
    type: Member,
    args: { ...source, ...userArgs, ...grant },
    resolve: async (query, _root, { source: asked, ...wanted }, ctx) => {
      const id = await addMember(
        await findWithManagedMembers(asked, ctx),
        withoutMissingDate(wanted),
        ctx,
      );
      return ctx.db.member.findUniqueOrThrow({ ...query, where: { id } });
    },
  }),
  updateMember: t.prismaField({
    type: Member,
    args: { ...source, ...userArgs, ...grant },
    resolve: async (query, _root, { source: asked, ...wanted }, ctx) => {
      const id = await updateMember(
        await findWithManagedMembers(asked, ctx),
        withoutMissingDate(wanted),
        ctx,
      );
      return ctx.db.member.findUniqueOrThrow({ ...query, where: { id } });
    },
  }),
  removeMember: t.boolean({
    args: { ...source, ...userArgs },
    resolve: async (_root, { source: asked, userId }, ctx) => {
      // every member may leave
      const find = ctx.viewer?.id === userId ? findGroupOrProject : findWithManagedMembers;
      await removeMember(await find(asked, ctx), userId, ctx);
      return true;
    },
  }),
}));

function named(search: string) {
  const text = containsInsensitive(search);
  return [{ name: text }, { username: text }];
}

/** An omitted date leaves the existing one unchanged. */
const withoutMissingDate = <Wanted extends { readonly expiresAt?: Date | null | undefined }>({
  expiresAt,
  ...rest
}: Wanted) => ({ ...rest, ...(expiresAt && { expiresAt }) });
