import { builder } from '../kernel/builder.ts';
import { internal } from '../kernel/public.ts';
import { done } from '../kernel/results.ts';
import { ApplicationSettings } from '../settings/types.ts';
import { changeOf, RunnerSettings } from './mutations.ts';
import { canManageSharedRunners } from './policy.ts';
import { type Registration, registerRunner, unregisterRunner } from './register.ts';
import { resetRunnersToken } from './registration-token.ts';
import { RunnerInfoInput } from './touch.ts';

const RunnerRegistration = builder.objectRef<Registration>('RunnerRegistration').implement({
  fields: (t) => ({
    id: t.exposeInt('id', { extensions: { identifies: 'Runner' } }),
    /** The token for requesting jobs. */
    token: t.exposeString('token'),
  }),
});

builder.mutationFields((t) => ({
  registerRunner: t.field({
    extensions: internal,
    type: RunnerRegistration,
    description: 'Registers a runner by the registration token of the instance or of a project.',
    args: {
      token: t.arg.string({
        required: true,
        description: 'The registration token of the instance or of a project.',
      }),
      settings: t.arg({
        type: RunnerSettings,
        required: true,
        description: 'The settings of the runner.',
      }),
      info: t.arg({
        type: RunnerInfoInput,
        description: 'What the runner program says of itself.',
      }),
    },
    resolve: (_root, { token, settings, info }, ctx) =>
      registerRunner(token, changeOf(settings), info ?? {}, ctx),
  }),
  unregisterRunner: t.boolean({
    extensions: internal,
    description: 'Deletes the runner with this token.',
    args: { token: t.arg.string({ required: true, description: 'The token of the runner.' }) },
    resolve: (_root, { token }, ctx) => done(unregisterRunner(token, ctx)),
  }),
  resetRunnersToken: t.string({
    description:
      'Replaces the token that registers runners and returns the new one: of a project, for its masters, or of the instance, for administrators.',
    extensions: {
      payload: 'runnersToken',
      payloadDescription: 'The new token that registers runners.',
    },
    args: {
      project: t.arg.id({
        description: 'The project; null for the instance, for administrators.',
      }),
    },
    resolve: (_root, { project }, ctx) => resetRunnersToken(project, ctx),
  }),
}));

builder.prismaObjectField(ApplicationSettings, 'runnersToken', (t) =>
  t.string({
    description: 'The token with which administrators register shared runners.',
    nullable: true,
    select: { runnersTokenSealed: true },
    resolve: ({ runnersTokenSealed: sealed }, _args, { viewer, secrets }) =>
      sealed !== null && canManageSharedRunners(viewer) ? secrets.open(sealed) : null,
  }),
);
