import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';
import { artifactsKey, jobFolders, tracePath } from '../../server/job-files/paths.ts';
import type { World } from './world.ts';

interface JobKey {
  readonly id: number;
  readonly projectId: number;
}

/** Stores traces and archives as finished jobs do. */
export interface JobFiles {
  readonly trace: (job: JobKey, text: string) => Promise<void>;
  /** Returns the bytes of the archive. */
  readonly artifacts: (
    job: JobKey,
    files: Readonly<Record<string, string | Buffer>>,
    expireAt?: Date | null,
  ) => Promise<Buffer>;
}

export function jobFilesOf({ db, dataFolder }: Pick<World, 'db' | 'dataFolder'>): JobFiles {
  const folders = jobFolders(dataFolder);
  const write = async (path: string, content: Buffer | string) => {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  };
  return {
    trace: async (job, text) => {
      await write(tracePath(folders, job), text);
      const traceSize = Buffer.byteLength(text);
      await db.job.update({ where: { id: job.id }, data: { traceSize } });
    },
    artifacts: async (job, files, expireAt = null) => {
      const archive = await zipOf(files);
      await write(join(dataFolder, artifactsKey(job)), archive);
      await db.job.update({
        where: { id: job.id },
        data: {
          artifactsFile: 'artifacts.zip',
          artifactsSize: archive.length,
          artifactsExpireAt: expireAt,
        },
      });
      return archive;
    },
  };
}

/** A ZIP archive of these files by path. */
export async function zipOf(files: Readonly<Record<string, string | Buffer>>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [path, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content), path);
  zip.end();
  return buffer(zip.outputStream);
}
