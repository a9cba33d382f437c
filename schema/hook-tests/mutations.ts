import { writeDeliveries } from '../activity/notify-hooks.ts';
import { findHook, findHookOwner } from '../hooks/find.ts';
import { byHook } from '../hooks/node.ts';
import { Hook } from '../hooks/types.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { heavyCost } from '../kernel/cost.ts';
import { invalid } from '../kernel/errors.ts';
import { signedIn } from '../kernel/signed-in.ts';
import { transact } from '../kernel/storage-errors.ts';
import { storedRecord } from '../listing/records.ts';
import { samples, type TestEvent } from './sample.ts';

const HookTestEvent = builder.enumType('HookTestEvent', {
  description: 'An event that a webhook of a project can be tested with.',
  values: {
    push: { description: 'A push of the latest commit to the default branch.' },
    issue: { description: 'An update of the newest issue that is not confidential.' },
    merge_request: { description: 'An update of the newest merge request.' },
    pipeline: { description: 'The status of the newest pipeline.' },
    job: { description: 'The status of the newest job.' },
  } as const,
});

/** Sends an event made of the newest records of the project, whatever the hook subscribes to. */
async function sendTest(
  ref: string | null | undefined,
  id: number,
  test: TestEvent,
  ctx: Context,
): Promise<void> {
  const { id: userId } = signedIn(ctx);
  const { projectId } = await findHookOwner(ref, ctx);
  await findHook({ projectId }, id, ctx);
  if (projectId === null) throw invalid({ event: ['is for webhooks of projects only'] });
  const { event, read } = samples[test];
  const payload = await read(ctx.db, { projectId, userId }, ctx);
  if (!payload) throw invalid({ event: ['has nothing to send: the project has none yet'] });
  const sent = { event, subscription: null };
  await transact(ctx.db, (tx) => writeDeliveries(tx, ctx.jobs, [id], sent, payload));
}

builder.mutationField('testProjectHook', (t) =>
  t.prismaField({
    type: Hook,
    extensions: { ...byHook, payload: 'hook' },
    description:
      'Sends an event made of the newest records of the project to a webhook, whether it subscribes to such events or not. Requires the access level MASTER.',
    complexity: heavyCost,
    args: {
      project: t.arg.id({ description: 'The project; a system hook has none.' }),
      id: t.arg.int({ required: true, description: 'The id of the webhook.' }),
      event: t.arg({ type: HookTestEvent, required: true, description: 'What is sent.' }),
    },
    resolve: async (query, _root, { project, id, event }, ctx) => {
      await sendTest(project, id, event, ctx);
      return storedRecord(ctx, 'webHook', id, query);
    },
  }),
);
