import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { artifactsPath, jobFolders, tracePath } from '../../server/job-files/paths.ts';
import { ciFile, ciOf } from './ci.ts';
import type { Person } from './seed.ts';
import type { World } from './world.ts';

/** A project in which something has run, for looking at its pages. */
export interface CiHosted {
  /** Its full path. */
  readonly path: string;
  readonly id: number;
  readonly sha: string;
  /** Makes a pipeline of `master` for somebody. */
  readonly pipeline: (person: Person) => Promise<number>;
  /** Moves a job as whoever runs it would. */
  readonly move: Awaited<ReturnType<typeof ciOf>>['move'];
  /** The newest job of a name in a pipeline. */
  readonly job: (pipelineId: number, name: string) => Promise<number>;
  /** Notes what a job wrote. */
  readonly writeTrace: (jobId: number, text: string | Buffer) => Promise<void>;
  /** Notes what it left. */
  readonly leaveArtifacts: (jobId: number, content: Buffer) => Promise<void>;
}

interface Wanted {
  readonly path: string;
  readonly roles?: Parameters<World['seed']['project']>[1];
  readonly settings?: object;
}

/**
 * Makes one with a CI file of three stages and the branches `master` and `topic`; what the pushes made of
 * it is forgotten.
 */
export async function ciHosted(
  all: World,
  { path, roles = {}, settings = {} }: Wanted,
): Promise<CiHosted> {
  const { seed, db, dataFolder, as } = all;
  const { move, forgetPushed } = await ciOf(all);
  const { id } = await seed.project(path, roles, { ...settings });
  const sha = await seed.push(path, { '.gitlab-ci.yml': ciFile, 'README.md': '# App\n' });
  await forgetPushed(id);
  await db.protectedBranch.deleteMany({ where: { projectId: id } });
  // one more branch with the same commit, of which nothing runs either
  await as(all.root).post(`/projects/${id}/repository/branches`, {
    branch: 'topic',
    ref: 'master',
  });
  await forgetPushed(id);
  const folders = jobFolders(dataFolder);
  const write = async (place: string, content: string | Buffer) => {
    await mkdir(dirname(place), { recursive: true });
    await writeFile(place, content);
  };
  return {
    path,
    id,
    sha,
    move,
    pipeline: async (person) => {
      const { status, body } = await as(person).post(`/projects/${id}/pipeline`, { ref: 'master' });
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
    leaveArtifacts: async (jobId, content) => {
      await write(artifactsPath(folders, { id: jobId, projectId: id }), content);
      const data = { artifactsFile: 'artifacts.zip', artifactsSize: content.length };
      await db.job.update({ where: { id: jobId }, data });
    },
  };
}
