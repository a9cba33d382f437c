import { expect, test } from 'vitest';
import { withoutEndpoint } from '../../fixtures/without-endpoint.ts';
import { ciFile, ciOf } from '../../support/ci.ts';
import { methodsOf, recordedClient } from '../../support/gitbeaker.ts';
import { jobFilesOf } from '../../support/job-files.ts';
import { world } from '../../support/world.ts';

const testWorld = await world();
const { as, seed, url, root, db } = testWorld;
const { move, deletePushPipelines } = await ciOf(testWorld);
const jobFiles = jobFilesOf(testWorld);
await seed.user('ada');
const { client, called } = recordedClient(url, root.token);
const { id: project } = await seed.project('ada/app');
const sha = await seed.push('ada/app', { '.gitlab-ci.yml': ciFile });
await deletePushPipelines(project);

async function createPipeline(): Promise<number> {
  const { body } = await as(root).post(`/projects/${project}/pipeline`, { ref: 'master' });
  return (body as { id: number }).id;
}

const jobIn = (pipelineId: number, name: string) =>
  db.job.findFirstOrThrow({ where: { pipelineId, name, isRetried: false } });

async function succeed(pipelineId: number, ...names: readonly string[]) {
  for (const name of names) {
    await move(pipelineId, name, 'running');
    await move(pipelineId, name, 'success');
  }
}

const bytesOf = async (response: unknown) => Buffer.from(await (response as Blob).arrayBuffer());

test('Jobs are listed, shown, canceled, retried, played and erased', async () => {
  const { Jobs } = client;
  const pipelineId = await createPipeline();
  const all = await Jobs.all('ada/app');
  expect(all.map(({ name }) => name)).toEqual(['release', 'lint', 'unit', 'compile']);
  expect(await Jobs.all(project, { pipelineId, scope: 'pending' })).toEqual(all.slice(3));
  // gitbeaker's type allows one scope only, the endpoint several
  const several = { scope: ['pending', 'created'] } as object;
  expect(await Jobs.all(project, several)).toEqual(all);
  const { id } = await jobIn(pipelineId, 'compile');
  const compile = await Jobs.show(project, id);
  expect(compile).toEqual(all[3]);
  expect(compile).toMatchObject({ commit: { id: sha }, pipeline: { id: pipelineId, sha } });
  expect(await Jobs.cancel(project, id)).toMatchObject({ id, status: 'canceled' });
  const again = await Jobs.retry(project, id);
  expect(again).toMatchObject({ name: 'compile', status: 'pending' });
  await succeed(pipelineId, 'compile', 'unit', 'lint');
  const release = await jobIn(pipelineId, 'release');
  expect(await Jobs.play(project, release.id)).toMatchObject({ status: 'pending' });
  await jobFiles.trace({ id: again.id, projectId: project }, 'made\n');
  expect(await Jobs.showLog(project, again.id)).toBe('made\n');
  expect(await Jobs.erase(project, again.id)).toMatchObject({ id: again.id });
  expect(await Jobs.showLog(project, again.id)).toBe('');
  await expect(Jobs.show(project, 0)).rejects.toThrow('404 Not found');
});

test('JobArtifacts are downloaded, kept and removed', async () => {
  const { JobArtifacts } = client;
  const pipelineId = await createPipeline();
  await succeed(pipelineId, 'compile', 'unit', 'lint');
  await db.pipeline.update({ where: { id: pipelineId }, data: { status: 'success' } });
  const { id: jobId } = await jobIn(pipelineId, 'compile');
  const place = { id: jobId, projectId: project };
  const files = { 'out/notes.txt': 'notes\n' };
  const archive = await jobFiles.artifacts(place, files, new Date(Date.now() + 60_000));
  expect(await bytesOf(await JobArtifacts.downloadArchive(project, { jobId }))).toEqual(archive);
  const artifactPath = 'out/notes.txt';
  expect(await JobArtifacts.downloadArchive(project, { jobId, artifactPath })).toBe('notes\n');
  const latest = { job: 'compile', ref: 'master' };
  expect(await bytesOf(await JobArtifacts.downloadArchive('ada/app', latest))).toEqual(archive);
  expect(await JobArtifacts.downloadArchive(project, { ...latest, artifactPath })).toBe('notes\n');
  expect(await JobArtifacts.keep(project, jobId)).toMatchObject({
    artifacts_file: { filename: 'artifacts.zip', size: archive.length },
    artifacts_expire_at: null,
  });
  await JobArtifacts.remove(project, { jobId });
  await expect(JobArtifacts.downloadArchive(project, { jobId })).rejects.toThrow('404 Not Found');
});

test('PipelineTriggerTokens are created, changed, used and removed', async () => {
  const { PipelineTriggerTokens } = client;
  const created = await PipelineTriggerTokens.create(project, 'nightly');
  expect(created).toMatchObject({ description: 'nightly', owner: { username: 'root' } });
  const { id, token } = created;
  expect(await PipelineTriggerTokens.all(project)).toEqual([created]);
  expect(await PipelineTriggerTokens.show(project, id)).toEqual(created);
  const changed = await PipelineTriggerTokens.edit(project, id, { description: 'weekly' });
  expect(changed).toMatchObject({ id, token, description: 'weekly' });
  const variables = { TARGET: 'moon' };
  const run = await PipelineTriggerTokens.trigger(project, 'master', token, { variables });
  expect(run).toMatchObject({ sha, ref: 'master', status: 'pending' });
  const row = await db.pipeline.findUniqueOrThrow({ where: { id: Number(run.id) } });
  expect(row).toMatchObject({ source: 'trigger', variablesSealed: expect.any(String) });
  await PipelineTriggerTokens.remove(project, id);
  await expect(PipelineTriggerTokens.show(project, id)).rejects.toThrow('404 Trigger Not Found');
});

test.each(['Jobs', 'JobArtifacts', 'PipelineTriggerTokens'])(
  'every method of %s was called, or has no endpoint in Millrace',
  (resource) => {
    const missing = methodsOf(client, resource).filter((method) => !called.has(method));
    expect(missing).toEqual(missing.filter((method) => method in withoutEndpoint));
    expect(Object.keys(withoutEndpoint).filter((method) => called.has(method))).toEqual([]);
  },
);
