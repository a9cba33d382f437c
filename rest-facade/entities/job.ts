import { graphql, type ResultOf } from '../../schema/client/graphql.ts';
import { commit, commitFields } from './commit.ts';
import { listedPipeline, listedPipelineFields } from './pipeline.ts';
import { runner, runnerFields } from './runner.ts';
import { userFields } from './user.ts';

export const jobFields = graphql(
  `
    fragment JobFields on Job {
      id status stage name ref isTag coverage createdAt startedAt finishedAt duration webUrl
      user { ...UserFields }
      commit { ...CommitFields }
      runner { ...RunnerFields }
      pipeline { ...ListedPipelineFields }
      artifactsFile { filename size expireAt }
    }
  `,
  [userFields, commitFields, runnerFields, listedPipelineFields],
);

/** A job, in listings and by itself (v4-behaviour 3.9). */
export const job = (found: ResultOf<typeof jobFields>) => ({
  id: found.id,
  status: found.status,
  stage: found.stage,
  name: found.name,
  ref: found.ref,
  tag: found.isTag,
  coverage: found.coverage,
  created_at: found.createdAt,
  started_at: found.startedAt,
  finished_at: found.finishedAt,
  duration: found.duration,
  user: found.user,
  ...(found.artifactsFile && {
    artifacts_file: { filename: found.artifactsFile.filename, size: found.artifactsFile.size },
  }),
  artifacts_expire_at: found.artifactsFile?.expireAt ?? null,
  commit: found.commit && commit(found.commit),
  runner: found.runner && runner(found.runner),
  pipeline: listedPipeline(found.pipeline),
  web_url: found.webUrl,
});
