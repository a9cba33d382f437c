import type { Access } from '../kernel/access.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { recordNotFound, unauthenticated } from '../kernel/errors.ts';
import { listingCost, pageArgs, rowsOf } from '../kernel/page.ts';
import { containing } from '../kernel/search.ts';
import { addMember, changeMember, type MemberSource, membersOf, removeMember } from './members.ts';
import { canManageMembers } from './policy.ts';
import { Member, MemberPage } from './types.ts';

/** Finds a group or project that the viewer may see, or throws; `rule` judges their level in it. */
export type FindSource = (
  ref: string,
  ctx: Context,
  rule?: (level: Access) => boolean,
) => Promise<MemberSource>;

const grant = builder.args((t) => ({
  userId: t.int({ required: true }),
  accessLevel: t.int({ required: true }),
  expiresAt: t.field({ type: 'Date' }),
}));

/**
 * The members of groups and of projects are the same fields under another name: `groupMembers`,
 * `addGroupMember`, … and `projectMembers`, `addProjectMember`, …
 */
export function memberFields(kind: 'group' | 'project', find: FindSource): void {
  const Name = kind === 'group' ? 'Group' : 'Project';
  const canManage = (level: Access) => canManageMembers(kind, level);
  const manage = (ref: string, ctx: Context) => find(ref, ctx, canManage);
  const signedIn = (ref: string, ctx: Context) => {
    if (!ctx.viewer) throw unauthenticated();
    return find(ref, ctx);
  };
  const source = builder.args((t) => ({ source: t.id({ required: true }) }));
  const readMember = (query: object, id: number, { db }: Context) =>
    db.member.findUniqueOrThrow({ ...query, where: { id } });

  builder.queryField(`${kind}Members`, (t) =>
    t.field({
      type: MemberPage,
      complexity: listingCost,
      args: { ...source, ...pageArgs, search: t.arg.string() },
      resolve: async (_root, { source: ref, search, ...page }, ctx) => {
        const where = {
          ...membersOf(await signedIn(ref, ctx)),
          ...(search && { user: { OR: named(search) } }),
        };
        return {
          nodes: (query) =>
            ctx.db.member.findMany({
              ...query,
              relationLoadStrategy: 'join',
              ...rowsOf(page),
              where,
              orderBy: { id: 'asc' },
            }),
          total: () => ctx.db.member.count({ where }),
        };
      },
    }),
  );

  builder.queryField(`${kind}Member`, (t) =>
    t.prismaField({
      type: Member,
      args: { ...source, userId: t.arg.int({ required: true }) },
      resolve: async (query, _root, { source: ref, userId }, ctx) => {
        const where = { ...membersOf(await signedIn(ref, ctx)), userId };
        const member = await ctx.db.member.findFirst({ ...query, where });
        if (!member) throw recordNotFound();
        return member;
      },
    }),
  );

  builder.mutationField(`add${Name}Member`, (t) =>
    t.prismaField({
      type: Member,
      args: { ...source, ...grant },
      resolve: async (query, _root, { source: ref, ...wanted }, ctx) =>
        readMember(query, await addMember(await manage(ref, ctx), known(wanted), ctx), ctx),
    }),
  );

  builder.mutationField(`update${Name}Member`, (t) =>
    t.prismaField({
      type: Member,
      args: { ...source, ...grant },
      resolve: async (query, _root, { source: ref, ...wanted }, ctx) =>
        readMember(query, await changeMember(await manage(ref, ctx), known(wanted), ctx), ctx),
    }),
  );

  builder.mutationField(`remove${Name}Member`, (t) =>
    t.boolean({
      args: { ...source, userId: t.arg.int({ required: true }) },
      resolve: async (_root, { source: ref, userId }, ctx) => {
        const isOneself = ctx.viewer?.id === userId;
        const found = await (isOneself ? find(ref, ctx) : manage(ref, ctx));
        await removeMember(found, userId, ctx);
        return true;
      },
    }),
  );
}

const named = (search: string) => {
  const text = containing(search);
  return [{ name: text }, { username: text }];
};

/** A date that was not given leaves the one there is. */
const known = <Wanted extends { readonly expiresAt?: Date | null | undefined }>({
  expiresAt,
  ...rest
}: Wanted) => ({ ...rest, ...(expiresAt && { expiresAt }) });
