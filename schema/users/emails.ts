import { Prisma } from '../../prisma/client.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { forbidden, invalid, notFound, refuseFaults, unauthenticated } from '../kernel/errors.ts';
import { internal } from '../kernel/public.ts';
import { orThrow } from '../kernel/results.ts';
import { transact } from '../kernel/storage-errors.ts';
import { belongsTo } from '../listing/listing.ts';
import { listingCost, type Page, type PageArgs, pageArgs } from '../listing/page.ts';
import { pageOfRecords, storedRecord } from '../listing/records.ts';
import { emailKey, isAddressTaken, lockAddress } from './addresses.ts';
import { byEmail } from './email-node.ts';
import { emailFaults } from './faults.ts';
import { canManageEmails, canVerifyEmails } from './policy.ts';
import { Email, EmailPage, User } from './types.ts';

const userArgs = builder.args((t) => ({
  userId: t.int({
    description:
      'The id of the user; null for the current user. Only administrators may name another user.',
  }),
}));

const idArgs = builder.args((t) => ({
  id: t.int({ required: true, description: 'The id of the e-mail address.' }),
}));

/** A page of the further addresses of a user. */
function emailPage(
  userId: number,
  page: PageArgs,
  ctx: Pick<Context, 'db' | 'viewer'>,
): Page<typeof Email.$inferType> {
  return pageOfRecords(ctx, {
    table: 'emails',
    where: Prisma.sql`true`,
    column: 'id',
    direction: 'asc',
    page,
    parent: belongsTo('user_id', userId),
  });
}

builder.prismaObjectField(User, 'emails', (t) =>
  t.field({
    type: EmailPage,
    nullable: true,
    description:
      'The further e-mail addresses of the user, in the order in which they were added. Null except for the user and administrators.',
    complexity: listingCost,
    args: pageArgs,
    select: { id: true },
    resolve: ({ id }, page, ctx) =>
      canManageEmails(ctx.viewer, id) ? emailPage(id, page, ctx) : null,
  }),
);

builder.queryFields((t) => ({
  emails: t.field({
    type: EmailPage,
    extensions: internal,
    complexity: listingCost,
    args: { ...pageArgs, ...userArgs },
    resolve: async (_root, { userId, ...page }, ctx) =>
      emailPage(await findOwner(userId, ctx), page, ctx),
  }),
  email: t.prismaField({
    type: Email,
    extensions: internal,
    args: { ...userArgs, ...idArgs },
    resolve: async (query, _root, { userId, id }, ctx) => {
      const where = { id, userId: await findOwner(userId, ctx) };
      return orThrow(ctx.db.email.findFirst({ ...query, where }), () => notFound('Email'));
    },
  }),
}));

builder.mutationFields((t) => ({
  createEmail: t.prismaField({
    type: Email,
    inPerson: true,
    description: 'Creates a further e-mail address of a user.',
    args: {
      ...userArgs,
      email: t.arg.string({
        required: true,
        description: 'The e-mail address, which no other user may have.',
      }),
    },
    resolve: async (query, _root, { userId, email }, ctx) => {
      const id = await createEmail(await findOwner(userId, ctx), email, ctx);
      return storedRecord(ctx, 'email', id, query);
    },
  }),
  verifyEmail: t.prismaField({
    type: Email,
    extensions: { ...byEmail, identifies: 'Email' },
    inPerson: true,
    description:
      'Verifies a further e-mail address of a user, which identifies the user from then on. Requires an administrator; `updateUser` verifies the primary address.',
    args: { ...userArgs, ...idArgs },
    resolve: async (query, _root, { userId, id }, ctx) => {
      if (!canVerifyEmails(ctx.viewer)) throw ctx.viewer ? forbidden() : unauthenticated();
      const where = { id, userId: await findOwner(userId, ctx) };
      const data = { verifiedAt: new Date() };
      const { count } = await ctx.db.email.updateMany({ where, data });
      if (count === 0) throw notFound('Email');
      return storedRecord(ctx, 'email', id, query);
    },
  }),
  deleteEmail: t.id({
    extensions: { ...byEmail, identifies: 'Email' },
    inPerson: true,
    description: 'Deletes a further e-mail address of a user.',
    args: { ...userArgs, ...idArgs },
    resolve: async (_root, { userId, id }, ctx) => {
      const where = { id, userId: await findOwner(userId, ctx) };
      const { count } = await ctx.db.email.deleteMany({ where });
      if (count === 0) throw notFound('Email');
      return id;
    },
  }),
}));

/** The user whose addresses are accessed: the viewer, or the one that an administrator names. */
async function findOwner(
  userId: number | null | undefined,
  { db, viewer }: Context,
): Promise<number> {
  if (!viewer) throw unauthenticated();
  if (userId === null || userId === undefined || userId === viewer.id) return viewer.id;
  if (!canManageEmails(viewer, userId)) throw forbidden();
  const user = await db.user.findUnique({ where: { id: userId }, select: { id: true } });
  if (!user) throw notFound('User');
  return user.id;
}

/**
 * Adds a further address, which must be unused; returns its id (v4-behaviour 3.1). It is verified if an
 * administrator enters it.
 */
async function createEmail(
  userId: number,
  email: string,
  { db, viewer }: Context,
): Promise<number> {
  refuseFaults({ email: emailFaults(email) });
  const key = emailKey(email);
  const verifiedAt = canVerifyEmails(viewer) ? new Date() : null;
  const data = { userId, email, emailKey: key, verifiedAt };
  const { id } = await transact(db, async (tx) => {
    await lockAddress(tx, key);
    if (await isAddressTaken(tx, key)) throw invalid({ email: ['has already been taken'] });
    return tx.email.create({ data, select: { id: true } });
  });
  return id;
}
