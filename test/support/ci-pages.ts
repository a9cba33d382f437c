import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { artifactsKey, jobFolders, tracePath } from '../../server/job-files/paths.ts';
import { ciFile, ciOf } from './ci.ts';
import type { TestUser } from './seed.ts';
import type { World } from './world.ts';

/** A project with pipelines, for tests of its pages. */
export interface CiProject {
  /** Its full path. */
  readonly path: string;
  readonly id: number;
  readonly sha: string;
  /** Creates a pipeline of `master` as a user. */
  readonly pipeline: (user: TestUser) => Promise<number>;
  /** Changes a job's status as its runner would. */
  readonly move: Awaited<ReturnType<typeof ciOf>>['move'];
  /** The id of the latest job with this name in a pipeline. */
  readonly job: (pipelineId: number, name: string) => Promise<number>;
  /** Stores a job's trace. */
  readonly writeTrace: (jobId: number, text: string | Buffer) => Promise<void>;
  /** Stores a job's artifacts. */
  readonly storeArtifacts: (jobId: number, content: Buffer) => Promise<void>;
}

interface CiProjectOptions {
  readonly path: string;
  readonly roles?: Parameters<World['seed']['project']>[1];
  readonly settings?: object;
}

/**
 * Creates a project with a CI file of three stages and the branches `master` and `topic`; deletes the
 * pipelines of these pushes.
 */
export async function ciProject(
  all: World,
  { path, roles = {}, settings = {} }: CiProjectOptions,
): Promise<CiProject> {
  const { seed, db, dataFolder, as } = all;
  const { move, deletePushPipelines } = await ciOf(all);
  const { id } = await seed.project(path, roles, { ...settings });
  const sha = await seed.push(path, { '.gitlab-ci.yml': ciFile, 'README.md': '# App\n' });
  await deletePushPipelines(id);
  await db.protectedBranch.deleteMany({ where: { projectId: id } });
  // one more branch with the same commit, also without pipelines
  await as(all.root).post(`/projects/${id}/repository/branches`, {
    branch: 'topic',
    ref: 'master',
  });
  await deletePushPipelines(id);
  const folders = jobFolders(dataFolder);
  const write = async (path: string, content: string | Buffer) => {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  };
  return {
    path,
    id,
    sha,
    move,
    pipeline: async (user) => {
      const { status, body } = await as(user).post(`/projects/${id}/pipeline`, { ref: 'master' });
      if (status !== 201) throw new Error(`no pipeline: ${JSON.stringify(body)}`);
      return (body as { readonly id: number }).id;
    },
    job: async (pipelineId, name) => {
      const job = await db.job.findFirstOrThrow({
        where: { pipelineId, name },
        orderBy: { id: 'desc' },
      });
      return job.id;
    },
    writeTrace: async (jobId, text) => {
      await write(tracePath(folders, { id: jobId, projectId: id }), text);
      await db.job.update({ where: { id: jobId }, data: { traceSize: Buffer.byteLength(text) } });
    },
    storeArtifacts: async (jobId, content) => {
      await write(join(dataFolder, artifactsKey({ id: jobId, projectId: id })), content);
      const data = { artifactsFile: 'artifacts.zip', artifactsSize: content.length };
      await db.job.update({ where: { id: jobId }, data });
    },
  };
}
