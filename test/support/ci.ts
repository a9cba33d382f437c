import { join } from 'node:path';
import { afterAll, expect, vi } from 'vitest';
import { type JobDetails, moveJob } from '../../schema/pipelines/move-job.ts';
import type { NotifyParts } from '../../schema/pipelines/notify.ts';
import { retryJob } from '../../schema/pipelines/retry-job.ts';
import type { CiStatus } from '../../schema/pipelines/status.ts';
import { loadSettings } from '../../server/accounts/settings.ts';
import { gitStore } from '../../server/git/store.ts';
import { openQueue } from '../../server/jobs/queue.ts';
import type { TestUser } from './seed.ts';
import { basicUserShape, initialCommitShape, instant, userShape } from './shapes.ts';
import type { World } from './world.ts';

/** A file with three stages: a build, a job that may fail, and a manual job. */
export const ciFile = `
stages: [build, test, deploy]
compile: { stage: build, script: make }
unit: { stage: test, script: make test }
lint: { stage: test, script: make lint, allow_failure: true }
release: { stage: deploy, script: make release, when: manual }
`;

export interface Ci {
  /** The dependencies of `moveJob` and `retryJob`. */
  readonly parts: NotifyParts;
  /** Changes a job's status as its runner would; false if the transition is not possible. */
  readonly move: (
    pipelineId: number,
    name: string,
    to: CiStatus,
    details?: JobDetails,
  ) => Promise<boolean>;
  /** Retries a job as a user; false if it cannot be retried. */
  readonly retry: (pipelineId: number, name: string, user: TestUser) => Promise<boolean>;
  /** `compile: success, unit: pending`: the jobs of a pipeline without retried ones. */
  readonly jobs: (pipelineId: number) => Promise<string>;
  /** A project with `ciFile`, without pipelines and protected branches. */
  readonly projectWithCi: (
    path: string,
    roles: Readonly<Record<string, TestUser>>,
    settings?: object,
  ) => Promise<{ readonly id: number; readonly sha: string }>;
  /** Waits until a push has created `count` pipelines, then deletes them. */
  readonly deletePushPipelines: (projectId: number, count?: number) => Promise<void>;
}

/** Changes job statuses outside of the server process, with the server's own function. */
export async function ciOf({ db, databaseUrl, dataFolder, seed, url }: World): Promise<Ci> {
  const git = gitStore({ storages: new Map([['default', join(dataFolder, 'repositories')]]) });
  const queue = await openQueue(databaseUrl, { onError: () => {} });
  const settings = await loadSettings(db);
  afterAll(async () => {
    await queue.stop();
    await git.close();
  });
  const parts = { baseUrl: url, sshUrl: 'git@localhost:', git, jobs: queue, settings };
  const latest = (pipelineId: number) =>
    db.job.findMany({ where: { pipelineId, isRetried: false }, orderBy: { id: 'asc' } });
  const latestNamed = async (pipelineId: number, name: string) => {
    const job = (await latest(pipelineId)).find((candidate) => candidate.name === name);
    if (!job) throw new Error(`the pipeline has no job ${name}`);
    return job;
  };
  const deletePushPipelines: Ci['deletePushPipelines'] = async (projectId, count = 1) => {
    const expectCount = async () =>
      expect(await db.pipeline.count({ where: { projectId } })).toBe(count);
    await vi.waitFor(expectCount, { timeout: 20_000 });
    await db.pipeline.deleteMany({ where: { projectId } });
  };
  return {
    parts,
    projectWithCi: async (path, roles, settings = {}) => {
      const { id } = await seed.project(path, roles, { ...settings });
      const sha = await seed.push(path, { '.gitlab-ci.yml': ciFile });
      await deletePushPipelines(id);
      await db.protectedBranch.deleteMany({ where: { projectId: id } });
      return { id, sha };
    },
    deletePushPipelines,
    move: async (pipelineId, name, to, details = {}) => {
      const job = await latestNamed(pipelineId, name);
      return db.$transaction((tx) => moveJob(tx, job, to, details, parts));
    },
    retry: async (pipelineId, name, { id }) => {
      const job = await latestNamed(pipelineId, name);
      const retried = await db.$transaction((tx) => retryJob(tx, job, id, parts));
      return retried !== null;
    },
    jobs: async (pipelineId) =>
      (await latest(pipelineId))
        .toSorted((a, b) => a.stageIndex - b.stageIndex || a.id - b.id)
        .map(({ name, status }) => `${name}: ${status}`)
        .join(', '),
  };
}

export interface PipelineTraits {
  readonly sha: string;
  readonly user: TestUser;
}

/** A pipeline of `master` that the API has just created. */
export const pipelineShape = (url: string, { sha, user }: PipelineTraits) => ({
  id: expect.any(Number),
  sha,
  ref: 'master',
  status: 'pending',
  before_sha: '0'.repeat(40),
  tag: false,
  yaml_errors: null,
  user: basicUserShape(url, user),
  created_at: instant,
  updated_at: instant,
  started_at: null,
  finished_at: null,
  committed_at: '2017-10-01T12:00:00.000Z',
  duration: null,
  coverage: null,
});

export interface JobShapeTraits {
  readonly sha: string;
  readonly user: TestUser;
  readonly pipeline: { readonly id: number; readonly status: string };
  /** The project's path. */
  readonly fullPath: string;
}

/** A job of `master` that has not started. */
export const jobShape = (url: string, { sha, user, pipeline, fullPath }: JobShapeTraits) => ({
  id: expect.any(Number),
  status: 'created',
  stage: 'test',
  name: 'unit',
  ref: 'master',
  tag: false,
  coverage: null,
  created_at: instant,
  started_at: null,
  finished_at: null,
  duration: null,
  user: userShape(url, user),
  artifacts_expire_at: null,
  commit: initialCommitShape(sha),
  runner: null,
  pipeline: { id: pipeline.id, sha, ref: 'master', status: pipeline.status },
  web_url: expect.stringMatching(new RegExp(`^${url}/${fullPath}/-/jobs/\\d+$`)),
});
