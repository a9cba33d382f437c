import { builder } from '../kernel/builder.ts';
import { heavyCost } from '../kernel/cost.ts';
import { internal } from '../kernel/public.ts';
import { done } from '../kernel/results.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { endOtherSessions } from '../users/end-sessions.ts';
import { closeBrowserSession } from './browser-sessions.ts';
import { passSecondFactor } from './second-factor.ts';
import { type OpenedSession, signInBrowser } from './sign-in-browser.ts';
import { signUp } from './sign-up.ts';

const BrowserSession = builder.objectRef<OpenedSession>('BrowserSession').implement({
  description: "A browser's session that was just opened.",
  fields: (t) => ({
    /** For the cookie; returned only once. */
    token: t.exposeString('token'),
    /** The session is valid only after a one-time password. */
    needsSecondFactor: t.exposeBoolean('needsSecondFactor'),
  }),
});

builder.mutationFields((t) => ({
  createBrowserSession: t.field({
    extensions: internal,
    type: BrowserSession,
    complexity: heavyCost,
    args: {
      /** A username or an e-mail address, ignoring case. */
      login: t.arg.string({ required: true }),
      password: t.arg.string({ required: true }),
      /** The browser's former token; its session ends. */
      replaces: t.arg.string(),
    },
    resolve: (_root, args, ctx) => signInBrowser(args, ctx),
  }),
  confirmBrowserSession: t.field({
    extensions: internal,
    type: BrowserSession,
    args: {
      /** The token of the pending session, which is replaced. */
      token: t.arg.string({ required: true }),
      /** A one-time password or a recovery code. */
      code: t.arg.string({ required: true }),
    },
    resolve: (_root, args, ctx) => passSecondFactor(args, ctx),
  }),
  signUp: t.field({
    extensions: internal,
    type: BrowserSession,
    complexity: heavyCost,
    args: {
      name: t.arg.string({ required: true }),
      username: t.arg.string({ required: true }),
      email: t.arg.string({ required: true }),
      password: t.arg.string({ required: true }),
      /** The browser's former token. */
      replaces: t.arg.string(),
    },
    resolve: (_root, { replaces, ...person }, ctx) => signUp(person, replaces ?? null, ctx),
  }),
  endBrowserSession: t.boolean({
    extensions: internal,
    description: 'Ends the session with this token; what is none is ended already.',
    args: { token: t.arg.string({ required: true }) },
    resolve: (_root, { token }, ctx) => done(closeBrowserSession(token, ctx)),
  }),
  endOtherBrowserSessions: t.boolean({
    extensions: internal,
    description: 'Ends all browser sessions of the current user except one.',
    args: {
      /** The token of the browser that stays signed in. */
      session: t.arg.string({ required: true }),
    },
    resolve: async (_root, { session }, ctx) => {
      const { id } = signedIn(ctx);
      await endOtherSessions(id, ctx.secrets.digest(session), ctx.db);
      ctx.viewers.forget(id);
      return true;
    },
  }),
}));

builder.queryField('browserSessionsCount', (t) =>
  t.int({
    extensions: internal,
    description: 'The number of browser sessions of the current user.',
    resolve: (_root, _args, ctx) =>
      ctx.db.browserSession.count({
        where: {
          userId: signedIn(ctx).id,
          needsSecondFactor: false,
          expiresAt: { gt: new Date() },
        },
      }),
  }),
);
