import { builder } from '../kernel/builder.ts';
import { internal } from '../kernel/public.ts';
import { done } from '../kernel/results.ts';
import { closeSoapSession, openSoapSession } from './soap-sessions.ts';

builder.mutationFields((t) => ({
  createSoapSession: t.string({
    extensions: internal,
    description: 'Signs a program in and returns the id of its session, which is shown once.',
    args: {
      username: t.arg.string({
        required: true,
        description: 'The username, in upper or lower case.',
      }),
      apiKey: t.arg.string({
        description: 'The private token or a personal access token, with the scope `api`.',
        required: true,
      }),
    },
    resolve: (_root, args, ctx) => openSoapSession(args, ctx),
  }),
  endSoapSession: t.boolean({
    extensions: internal,
    description: 'Ends the session with this id; does nothing if there is none.',
    args: { sessionId: t.arg.string({ required: true }) },
    resolve: (_root, { sessionId }, ctx) => done(closeSoapSession(sessionId, ctx)),
  }),
}));
