import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { JobArtifacts, JobDependency } from './job.ts';
import type { JobContext } from './job-context.ts';
import { pack } from './pack.ts';
import { abandonedAfter, retryUntilAnswered } from './retry.ts';
import { selectFiles } from './selection.ts';
import { maxUnpackedBytes, unpack } from './unpack.ts';
import { expandText, UnusableJob } from './variables.ts';

/** Downloads and unpacks the artifacts of earlier jobs. */
export async function fetchArtifacts(work: JobContext): Promise<void> {
  for (const dependency of work.job.dependencies) {
    if (dependency.artifacts_file) await fetchFrom(dependency, work);
  }
}

async function fetchFrom(dependency: JobDependency, work: JobContext): Promise<void> {
  const { folder, signal, protocol, say } = work;
  const { id, name, token } = dependency;
  say(`Downloading artifacts of ${name} (${id})...`);
  const target = join(folder.temporary, `artifacts-${id}.zip`);
  const response = await retryUntilAnswered(
    async () => {
      const answer = await protocol.downloadArtifacts({ id, token }, signal);
      if (answer.status !== 200) {
        await answer.body?.cancel();
        return answer;
      }
      const content = Readable.fromWeb(answer.body as never);
      await pipeline(content, bounded, createWriteStream(target, { mode: 0o600 }), { signal });
      return answer;
    },
    { limit: abandonedAfter, signal },
  );
  if (response.status !== 200) {
    throw new UnusableJob(`the artifacts of ${name} could not be downloaded: ${response.status}`);
  }
  const count = await unpack(target, folder.source, signal);
  await rm(target);
  say(`Unpacked ${count} files`);
}

async function* bounded(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const piece of content) {
    size += piece.length;
    if (size > maxUnpackedBytes)
      throw new UnusableJob('the artifacts are larger than the runner accepts');
    yield piece;
  }
}

/** Packs and uploads the job's artifacts, if `when` matches its result. */
export async function sendArtifacts(work: JobContext, hasSucceeded: boolean): Promise<void> {
  for (const [index, artifacts] of work.job.artifacts.entries()) {
    if (isWanted(artifacts, hasSucceeded)) await send(artifacts, index, work);
  }
}

const isWanted = ({ when }: JobArtifacts, hasSucceeded: boolean) =>
  when === 'always' || (when === 'on_failure') !== hasSucceeded;

async function send(artifacts: JobArtifacts, index: number, work: JobContext): Promise<void> {
  const { job, folder, variables, signal, protocol, say, warn } = work;
  say('Uploading artifacts...');
  const wanted = { paths: artifacts.paths, isUntracked: artifacts.untracked === true };
  const { paths, complaints } = await selectFiles(wanted, { ...work, source: folder.source });
  for (const complaint of complaints) warn(complaint);
  if (paths.length === 0) {
    warn('There is nothing to upload');
    return;
  }
  const path = join(folder.temporary, `artifacts-of-this-${index}.zip`);
  const count = await pack(folder.source, paths, path, signal);
  const name = `${basename(expandText(artifacts.name || 'artifacts', variables)) || 'artifacts'}.zip`;
  const { status } = await retryUntilAnswered(
    () =>
      protocol.uploadArtifacts(job, { path, name, expireIn: artifacts.expire_in ?? null }, signal),
    { limit: abandonedAfter, signal },
  );
  await rm(path);
  if (status === 201) say(`Uploaded ${count} files`);
  else if (status === 413)
    throw new UnusableJob('the artifacts are larger than the service accepts');
  else throw new UnusableJob(`the service refused the artifacts: ${status}`);
}
