import { builder } from '../kernel/builder.ts';
import { pageType } from '../listing/page-types.ts';

export const DeadLetter = builder.prismaObject('DeadLetter', {
  description: 'A background job that failed permanently. Administrators can retry it.',
  fields: (t) => ({
    id: t.exposeInt('id', { description: 'The number of the dead letter.' }),
    kind: t.exposeString('kind', { description: 'The kind of the job, such as `follow-push`.' }),
    payload: t.string({
      description: 'The input of the job, as JSON.',
      select: { payload: true },
      resolve: ({ payload }) => JSON.stringify(payload),
    }),
    attempts: t.exposeInt('attempts', { description: 'How often the job ran.' }),
    error: t.exposeString('error', { description: 'The error of the last attempt.' }),
    isFatal: t.exposeBoolean('isFatal', {
      description: 'Whether the server process died during the last attempt.',
    }),
    project: t.relation('project', {
      nullable: true,
      description: 'The project that the job belongs to; null if it belongs to none.',
    }),
    user: t.relation('user', {
      nullable: true,
      description: 'The user whose action started the job; null if none did.',
    }),
    mergeRequest: t.relation('mergeRequest', {
      nullable: true,
      description: 'The merge request that the job belongs to; null if it belongs to none.',
    }),
    enqueuedAt: t.expose('enqueuedAt', {
      type: 'DateTime',
      description: 'When the job was created.',
    }),
    failedAt: t.expose('failedAt', {
      type: 'DateTime',
      description: 'When the last attempt failed.',
    }),
  }),
});

export const DeadLetterPage = pageType('DeadLetter', DeadLetter);
