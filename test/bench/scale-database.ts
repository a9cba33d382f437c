import { createHash } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { openSession } from '../../prisma/client.ts';
import { git } from '../support/git.ts';
import { inBulk } from './fill.ts';
import { cachedRepository } from './repository.ts';
import {
  type FirstRepository,
  findScaleTargets,
  type ScaleTargets,
  scaleStatements,
} from './scale-fill.ts';
import { type Service, startService } from './service.ts';
import { createUsers, loginOf, readSecrets } from './users.ts';

/** The service with a filled database. */
export interface ScaleService extends Service {
  readonly targets: ScaleTargets;
  readonly memberToken: string;
}

const migrations = fileURLToPath(new URL('../../prisma/migrations', import.meta.url));
const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'millrace-bench');

/** Starts the service on a fill with so many projects, which is kept in the user's cache folder. */
export async function startScaleService(
  projects: number,
  flags: readonly string[],
): Promise<ScaleService> {
  const folder = join(cache, `scale-${projects}-${await hashOfFill(projects)}`);
  const isThere = await stat(folder).then(
    () => true,
    () => false,
  );
  if (!isThere) await fillFolder(folder, projects);
  const service = await startService(folder, flags);
  const session = await openSession(service.databaseUrl);
  try {
    const targets = await findScaleTargets(session);
    return { ...service, targets, memberToken: loginOf(1).token };
  } finally {
    await session.end();
  }
}

/** Jobs show their commits, so that the first project has a few. */
const repositoryPlan = { seed: 'scale', commits: 20, bytes: 64, paths: 20 };

const diskPath = 'ab/cd/abcd0000000000000000000000000000';

/** The first project's repository, and the folder to copy it from. */
async function firstRepository(): Promise<FirstRepository & { readonly folder: string }> {
  const folder = await cachedRepository(repositoryPlan);
  const commits = (await git(folder, 'rev-list', 'master')).split('\n');
  return { folder, diskPath, commits };
}

/** Differs for other migrations, statements and users, with which a kept database is stale. */
async function hashOfFill(projects: number): Promise<string> {
  const hash = createHash('sha256');
  hash.update(JSON.stringify(scaleStatements(projects, await firstRepository())));
  hash.update(await readFile(new URL('users.ts', import.meta.url)));
  for (const name of (await readdir(migrations, { recursive: true })).toSorted()) {
    if (name.endsWith('.sql')) hash.update(name).update(await readFile(join(migrations, name)));
  }
  return hash.digest('hex').slice(0, 16);
}

/** Fills a draft first, so that an interrupted fill is not taken for a complete one. */
async function fillFolder(folder: string, projects: number): Promise<void> {
  const draft = `${folder}.${process.pid}`;
  await mkdir(draft, { recursive: true });
  try {
    process.stdout.write(`filling a database with ${projects} projects in ${folder}\n`);
    const service = await startService(draft, []);
    try {
      const repository = await firstRepository();
      const storage = join(service.dataFolder, 'repositories');
      await cp(repository.folder, join(storage, `${diskPath}.git`), { recursive: true });
      await inBulk(service.databaseUrl, async (session) => {
        await createUsers(session, await readSecrets(service.dataFolder));
        for (const statement of scaleStatements(projects, repository)) {
          await session.query(statement);
        }
      });
    } finally {
      await service.stop();
    }
    await rename(draft, folder);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}
