import { builder } from '../kernel/builder.ts';
import { pageType } from '../listing/page-types.ts';

export const DeadLetter = builder.prismaObject('DeadLetter', {
  description: 'A background job that was given up. It can be retried by hand.',
  fields: (t) => ({
    id: t.exposeInt('id'),
    kind: t.exposeString('kind', { description: 'The kind of job, e.g. `follow-push`.' }),
    payload: t.string({
      description: 'What the job was given, as JSON.',
      select: { payload: true },
      resolve: ({ payload }) => JSON.stringify(payload),
    }),
    attempts: t.exposeInt('attempts', { description: 'How often it was tried.' }),
    error: t.exposeString('error', { description: 'What the last attempt failed of.' }),
    isFatal: t.exposeBoolean('isFatal', {
      description: 'Whether the server process died during the last attempt.',
    }),
    project: t.relation('project', {
      nullable: true,
      description: 'The project the job belongs to.',
    }),
    user: t.relation('user', { nullable: true, description: 'The user the job was started for.' }),
    mergeRequest: t.relation('mergeRequest', {
      nullable: true,
      description: 'The merge request the job belongs to.',
    }),
    enqueuedAt: t.expose('enqueuedAt', { type: 'DateTime' }),
    failedAt: t.expose('failedAt', { type: 'DateTime' }),
  }),
});

export const DeadLetterPage = pageType('DeadLetter', DeadLetter);
