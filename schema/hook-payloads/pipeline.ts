import { z } from 'zod';
import {
  ciStatus,
  commit,
  flag,
  integer,
  part,
  project,
  repository,
  sha,
  text,
  time,
  user,
} from './parts.ts';

const pipelineJob = part('WebhookJob', 'A job of a pipeline.', {
  id: integer('The id.'),
  stage: text('The stage.'),
  name: text('The name.'),
  status: ciStatus.describe('The status.'),
  created_at: time('When it was created.'),
  started_at: time('When it started.').nullable(),
  finished_at: time('When it finished.').nullable(),
  when: text('When it runs: `on_success`, `on_failure`, `always` or `manual`.'),
  manual: flag('Whether it is started by hand.'),
  user: user.describe('The user who started it.').nullable(),
  runner: part('WebhookRunner', 'A runner.', {
    id: integer('The id.'),
    description: text('The description.').nullable(),
    active: flag('Whether it gets jobs.'),
    is_shared: flag('Whether it runs jobs of all projects.'),
  })
    .describe('The runner of the job; null until it has one.')
    .nullable(),
  artifacts_file: z
    .strictObject({
      filename: text('The file name.').nullable(),
      size: integer('The size in bytes.').nullable(),
    })
    .describe('The archive of artifacts.'),
});

export const pipeline = part('PipelinePayload', 'A new status of a pipeline.', {
  object_kind: z.literal('pipeline').describe('The kind of the event.'),
  object_attributes: z
    .strictObject({
      id: integer('The id.'),
      ref: text('The branch or tag.'),
      tag: flag('Whether `ref` is a tag.'),
      sha: sha('The commit.'),
      before_sha: sha('The commit before the push; zeros if there is none.').nullable(),
      status: ciStatus.describe('The status.'),
      stages: z.array(z.string()).describe('The stages in their order.'),
      created_at: time('When it was created.'),
      finished_at: time('When it finished.').nullable(),
      duration: integer('The duration in seconds.').nullable(),
    })
    .describe('The pipeline.'),
  user: user.describe('The user who started it; null if the user was deleted.').nullable(),
  project: project.describe('The project.'),
  commit: commit.describe('The commit; null if it is lost.').nullable(),
  builds: z.array(pipelineJob).describe('The jobs, the newest attempt of each; at most 1000.'),
});

export const job = part('JobPayload', 'A new status of a job.', {
  object_kind: z.literal('build').describe('The kind of the event.'),
  ref: text('The branch or tag.'),
  tag: flag('Whether `ref` is a tag.'),
  before_sha: sha('The commit before the push; zeros if there is none.').nullable(),
  sha: sha('The commit.'),
  build_id: integer('The id of the job.'),
  build_name: text('The name of the job.'),
  build_stage: text('The stage of the job.'),
  build_status: ciStatus.describe('The status of the job.'),
  build_started_at: time('When the job started.').nullable(),
  build_finished_at: time('When the job finished.').nullable(),
  build_duration: z.number().describe('The duration in seconds.').nullable(),
  build_allow_failure: flag('Whether the pipeline succeeds if the job fails.'),
  project_id: integer('The id of the project.'),
  project_name: text('The name of the namespace and of the project: `tools / app`.'),
  user: part('WebhookJobUser', 'The user who started a job.', {
    ...user.shape,
    id: integer('The id.'),
    email: text('The e-mail address.'),
  })
    .describe('The user who started the job; null if the user was deleted.')
    .nullable(),
  commit: z
    .strictObject({
      id: integer('The id of the pipeline.'),
      sha: sha('The SHA.'),
      message: text('The message; null if the commit is lost.').nullable(),
      author_name: text('The name of the author.').nullable(),
      author_email: text('The e-mail address of the author.').nullable(),
      status: ciStatus.describe('The status of the pipeline.'),
      duration: integer('The duration of the pipeline in seconds.').nullable(),
      started_at: time('When the pipeline started.').nullable(),
      finished_at: time('When the pipeline finished.').nullable(),
    })
    .describe('The commit, with the status of its pipeline.'),
  repository: repository.describe('The repository of the project.'),
});

export type PipelinePayload = z.infer<typeof pipeline>;
export type JobPayload = z.infer<typeof job>;
