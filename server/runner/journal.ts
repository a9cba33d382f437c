import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Speaker } from './protocol.ts';
import { isRunning, type RunnerProcess, thisProcess } from './runner-process.ts';

interface Entry extends Speaker {
  readonly by: RunnerProcess;
}

export type Journal = Awaited<ReturnType<typeof openJournal>>;

/** Files of the jobs whose end is not acknowledged, for recovery after a kill. */
export async function openJournal(folder: string) {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const pathOf = (id: number) => join(folder, `${id}.json`);
  return {
    note: async ({ id, token }: Speaker) => {
      const entry: Entry = { id, token, by: thisProcess };
      await writeFile(pathOf(id), JSON.stringify(entry), { mode: 0o600 });
    },
    forget: ({ id }: Pick<Speaker, 'id'>) => rm(pathOf(id), { force: true }),
    /** The jobs of dead runners. */
    abandoned: async (): Promise<readonly Speaker[]> => {
      const names = (await readdir(folder)).filter((name) => /^\d+\.json$/.test(name));
      const entries = await Promise.all(names.map((name) => read(join(folder, name))));
      return entries.filter((entry) => entry !== null && !isRunning(entry.by)) as Entry[];
    },
  };
}

async function read(path: string): Promise<Entry | null> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Entry;
  } catch {
    // a kill truncated it before the job started
    await rm(path, { force: true });
    return null;
  }
}
