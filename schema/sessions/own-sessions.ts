import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { notFound } from '../kernel/errors.ts';
import { internal } from '../kernel/public.ts';
import { signedIn } from '../kernel/signed-in.ts';

/** More sessions than one user has; the last used ones are listed. */
const mostListed = 100;

interface OwnSession {
  readonly id: number;
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
  readonly isCurrent: boolean;
  readonly address: string | null;
  readonly browser: string | null;
}

const OwnBrowserSession = builder.objectRef<OwnSession>('OwnBrowserSession').implement({
  description: 'A browser in which the current user is signed in.',
  fields: (t) => ({
    id: t.exposeInt('id', { description: 'The number of the session.' }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When the user signed in.',
    }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      description:
        'A time from which on the session was used; the last use is at most a tenth of the lifetime of sessions later.',
    }),
    address: t.exposeString('address', {
      nullable: true,
      description: 'The address from which the user signed in. Null if it was not recorded.',
    }),
    browser: t.exposeString('browser', {
      nullable: true,
      description:
        'The name of the browser, such as `Firefox 132 on Linux`. Null if it is not known.',
    }),
    isCurrent: t.exposeBoolean('isCurrent', {
      description: 'Whether it is the session of the argument `session`.',
    }),
  }),
});

/** The complete sessions of the current user that have not expired. */
const ownSessions = (ctx: Pick<Context, 'viewer'>) => ({
  userId: signedIn(ctx).id,
  needsSecondFactor: false,
  expiresAt: { gt: new Date() },
});

builder.queryField('browserSessions', (t) =>
  t.field({
    type: [OwnBrowserSession],
    extensions: internal,
    inPerson: true,
    description: 'The browsers in which the current user is signed in, the last used ones first.',
    args: { session: t.arg.string({ description: 'The token of this browser.' }) },
    resolve: async (_root, { session }, ctx) => {
      const rows = await ctx.db.browserSession.findMany({
        where: ownSessions(ctx),
        orderBy: [{ expiresAt: 'desc' }, { id: 'desc' }],
        take: mostListed,
      });
      const digest = session ? Buffer.from(ctx.secrets.digest(session)) : null;
      return rows.map(({ id, createdAt, expiresAt, digest: own, address, browser }) => ({
        id,
        createdAt,
        address,
        browser,
        // use extends a session to its full lifetime
        lastUsedAt: new Date(
          Math.max(createdAt.getTime(), expiresAt.getTime() - ctx.sessionLifetime),
        ),
        isCurrent: digest?.equals(own) === true,
      }));
    },
  }),
);

builder.mutationField('endOwnBrowserSession', (t) =>
  t.int({
    extensions: internal,
    inPerson: true,
    description: 'Ends a browser session of the current user, and returns its number.',
    args: { id: t.arg.int({ required: true, description: 'The number of the session.' }) },
    resolve: async (_root, { id }, ctx) => {
      const where = ownSessions(ctx);
      const { count } = await ctx.db.browserSession.deleteMany({ where: { ...where, id } });
      if (count === 0) throw notFound('Session');
      ctx.viewers.forget(where.userId);
      return id;
    },
  }),
);
