import { builder } from '../kernel/builder.ts';
import { publiclyTyped } from '../kernel/public.ts';
import { pageType } from '../listing/page-types.ts';
import type { JobKind } from '../ports/jobs.ts';

const descriptions: Readonly<Record<JobKind, string>> = {
  'remove-project': 'Deletes the files and records of a project.',
  'remove-namespace': 'Deletes a group or a personal namespace with everything in it.',
  'remove-uploads': 'Deletes the uploads of a deleted user.',
  'refresh-statistics': 'Counts the commits and bytes of a project after a push.',
  'import-project': 'Imports a repository from a URL.',
  'fork-project': 'Copies the repository into a fork.',
  'give-up-arrival': 'Ends an import or fork that failed.',
  'link-merged-objects': 'Gives a project the Git LFS objects of a merged fork.',
  'record-merge-request-commits': 'Records the commits by which a merge request is found.',
  'housekeep-project': 'Runs the maintenance of a repository.',
  'pack-project': 'Packs what was added to a repository.',
  'deliver-hook': 'Sends a webhook.',
  'follow-push': 'Updates the merge requests of branches that moved.',
  'make-pipelines': 'Creates the pipelines of a push.',
  'apply-push-options': 'Applies the options of a push to merge requests after a crash.',
  'run-schedule': 'Creates the pipeline of a schedule that is due.',
  'sweep-job-files':
    'Deletes the files of a job that was erased or deleted, or whose artifacts expired.',
  'pipeline-ended': 'Continues what waits for the end of a pipeline.',
  'rebase-merge-request': 'Rebases the source branch of a merge request.',
  'settle-push': 'Settles a push or a wiki edit after a crash or a failure.',
  'settle-push-step':
    'Repeats a step of settling a push that failed: its events, webhooks, releases or default branch.',
  'settle-merge': 'Settles a merge after a crash.',
};

builder.enumType('BackgroundJobKind', {
  description: 'What a background job does.',
  values: Object.fromEntries(
    Object.entries(descriptions).map(([kind, description]) => [
      kind.replaceAll('-', '_'),
      { value: kind, description },
    ]),
  ),
});

export const DeadLetter = builder.prismaObject('DeadLetter', {
  description: 'A background job that failed permanently. Administrators can retry it.',
  fields: (t) => ({
    id: t.exposeInt('id', { description: 'The number of the dead letter.' }),
    kind: t.string({
      nullable: true,
      description: 'What the job does; null for a kind that only an earlier version had.',
      extensions: publiclyTyped('BackgroundJobKind'),
      resolve: ({ kind }) => (Object.hasOwn(descriptions, kind) ? kind : null),
    }),
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
