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
  description: 'A new session of a browser.',
  fields: (t) => ({
    token: t.exposeString('token', { description: 'For the cookie; returned only once.' }),
    needsSecondFactor: t.exposeBoolean('needsSecondFactor', {
      description: 'The session is valid only after a one-time password.',
    }),
  }),
});

builder.mutationFields((t) => ({
  createBrowserSession: t.field({
    extensions: internal,
    type: BrowserSession,
    complexity: heavyCost,
    args: {
      login: t.arg.string({
        description: 'A username or an e-mail address, ignoring case.',
        required: true,
      }),
      password: t.arg.string({ required: true }),
      replaces: t.arg.string({ description: "The browser's former token; its session ends." }),
    },
    resolve: (_root, args, ctx) => signInBrowser(args, ctx),
  }),
  confirmBrowserSession: t.field({
    extensions: internal,
    type: BrowserSession,
    args: {
      token: t.arg.string({
        description: 'The token of the pending session, which is replaced.',
        required: true,
      }),
      code: t.arg.string({
        description: 'A one-time password or a recovery code.',
        required: true,
      }),
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
      replaces: t.arg.string({ description: "The browser's former token." }),
    },
    resolve: (_root, { replaces, ...person }, ctx) => signUp(person, replaces ?? null, ctx),
  }),
  endBrowserSession: t.boolean({
    extensions: internal,
    description: 'Ends the session with this token; does nothing if there is none.',
    args: { token: t.arg.string({ required: true }) },
    resolve: (_root, { token }, ctx) => done(closeBrowserSession(token, ctx)),
  }),
  endOtherBrowserSessions: t.boolean({
    extensions: internal,
    description: 'Ends all browser sessions of the current user except one.',
    args: {
      session: t.arg.string({
        description: 'The token of the browser that stays signed in.',
        required: true,
      }),
    },
    resolve: async (_root, { session }, ctx) => {
      const { id } = signedIn(ctx);
      await endOtherSessions(id, ctx.secrets.digest(session), ctx.db);
      ctx.viewers.forget(id);
      return true;
    },
  }),
}));
