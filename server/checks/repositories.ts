import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { orMissing } from '../disk/files.ts';
import { repositoryFolder, type Storages } from '../git/address.ts';
import { findDamaged } from '../git/process/cache-files.ts';
import { tryGit } from '../git/process/run.ts';
import type { Check, Finding, ServiceParts } from './check.ts';
import { hasRepository, type NamedRepository, projectsOf, repositoriesOf } from './projects.ts';
import { fileFault, headFault, writeHead } from './repository-files.ts';

/** Files looked at, and git processes, at once. */
const atOnce = { stat: 16, git: 2 };

/** A repository that is younger may belong to a creation that has not stored its project yet. */
const settled = 3_600_000;

/** Repositories whose objects are followed before the next ones are read from the database. */
const batchSize = 100;

const levels = /^[0-9a-f]{2}$/;

async function* missingRepositories({ config, db, tally }: ServiceParts): AsyncGenerator<Finding> {
  const limit = pLimit(atOnce.stat);
  const missing = tally();
  const elsewhere = tally();
  for await (const projects of projectsOf(db)) {
    const look = async (project: (typeof projects)[number]) => {
      if (!config.storages.has(project.storage)) return elsewhere.add(project.fullPath);
      if (!(await hasRepository(config.storages, project))) missing.add(project.fullPath);
    };
    await Promise.all(projects.map((project) => limit(() => look(project))));
  }
  if (elsewhere.count > 0) {
    yield {
      level: 'error',
      problem: `projects in a storage that is not configured, ${elsewhere.text}`,
      advice: 'Name the storage in MILLRACE_STORAGES.',
      items: elsewhere,
    };
  }
  if (missing.count > 0) {
    yield {
      level: 'error',
      problem: `projects without their repository, ${missing.text}`,
      advice: 'Put the repositories back from a backup, or delete the projects.',
      items: missing,
    };
  }
}

const namesIn = async (folder: string) => (await orMissing(readdir(folder))) ?? [];

/** The repositories of a storage, folder by folder: paths such as `ab/cd/abcd….git`. */
async function* repositoriesIn(storage: string) {
  for (const first of (await namesIn(storage)).filter((name) => levels.test(name))) {
    for (const second of (await namesIn(join(storage, first))).filter((name) =>
      levels.test(name),
    )) {
      const names = await namesIn(join(storage, first, second));
      yield names
        .filter((name) => name.endsWith('.git'))
        .map((name) => `${first}/${second}/${name}`);
    }
  }
}

async function* unknownRepositories({ config, db, tally }: ServiceParts): AsyncGenerator<Finding> {
  const unknown = tally();
  for (const [name, storage] of config.storages) {
    for await (const paths of repositoriesIn(storage)) {
      const projectPath = (path: string) => path.replace(/(\.wiki)?\.git$/, '');
      const rows = await db.project.findMany({
        where: { storage: name, diskPath: { in: paths.map(projectPath) } },
        select: { diskPath: true },
      });
      const recorded = new Set(rows.map(({ diskPath }) => diskPath));
      for (const path of paths.filter((one) => !recorded.has(projectPath(one)))) {
        const stats = await orMissing(stat(join(storage, path)));
        if (stats && stats.mtimeMs < Date.now() - settled) unknown.add(join(storage, path));
      }
    }
  }
  if (unknown.count === 0) return;
  yield {
    level: 'warning',
    problem: `repositories without a project, ${unknown.text}`,
    advice: 'Look into them, then delete their folders.',
    items: unknown,
  };
}

/** Whether all objects that references reach are there, whatever is derived from them; null, or what git says. */
export async function connectivityFault(
  storages: Storages,
  repository: { readonly storage: string; readonly diskPath: string },
): Promise<string | null> {
  const folder = repositoryFolder(storages, repository);
  const options = ['--connectivity-only', '--no-dangling', '--no-progress'];
  const { code, stdout, stderr } = await tryGit([`--git-dir=${folder}`, 'fsck', ...options], {
    ignoresCaches: true,
  });
  if (code === 0) return null;
  return `${stderr}${stdout}`.trim().split('\n')[0] ?? `git fsck ended with ${code}`;
}

async function* faultyFiles(parts: ServiceParts): AsyncGenerator<Finding> {
  const headless = parts.tally();
  const faulty = parts.tally();
  const heads: (readonly [string, string])[] = [];
  for await (const { name, commits, branch, repository } of repositoriesOf(parts)) {
    const folder = repositoryFolder(parts.config.storages, repository);
    const head = await headFault(folder).catch((error: Error) => error.message);
    if (head !== null) {
      headless.add(name, head);
      heads.push([folder, branch]);
    }
    const fault = await fileFault(folder, commits).catch((error: Error) => error.message);
    if (fault !== null && fault !== head) faulty.add(name, fault);
  }
  if (headless.count > 0) {
    yield {
      level: 'error',
      problem: `repositories that name no default branch, ${headless.text}`,
      advice: 'Run millrace doctor --fix: it writes the default branch of the project into HEAD.',
      items: headless,
      fix: async () => {
        for (const [folder, branch] of heads) await writeHead(folder, branch);
      },
    };
  }
  if (faulty.count === 0) return;
  yield {
    level: 'error',
    problem: `repositories with damaged files, ${faulty.text}`,
    advice:
      'Put the files back from a backup of the folder; a damaged reference is the id of a commit, which a clone has.',
    items: faulty,
  };
}

/** Whether another check names the repository: then git cannot tell which objects are missing. */
async function isNamedElsewhere(
  storages: Storages,
  repository: { readonly storage: string; readonly diskPath: string },
): Promise<boolean> {
  const folder = repositoryFolder(storages, repository);
  if ((await fileFault(folder)) !== null) return true;
  // without the index of a pack its objects seem to be missing
  const damaged = await findDamaged(join(folder, 'objects'));
  return damaged.some(({ kind }) => kind === 'pack-index');
}

async function* damagedRepositories(parts: ServiceParts): AsyncGenerator<Finding> {
  const { storages } = parts.config;
  const limit = pLimit(atOnce.git);
  const damaged = parts.tally();
  const follow = async ({ name, repository }: NamedRepository) => {
    if (await isNamedElsewhere(storages, repository).catch(() => true)) return;
    const fault = await connectivityFault(storages, repository).catch(String);
    if (fault !== null) damaged.add(name, fault);
  };
  const batch: NamedRepository[] = [];
  const followBatch = () => limit.map(batch.splice(0), follow);
  for await (const repository of repositoriesOf(parts))
    if (batch.push(repository) === batchSize) await followBatch();
  await followBatch();
  if (damaged.count === 0) return;
  yield {
    level: 'error',
    problem: `damaged repositories, ${damaged.text}`,
    advice: 'Fetch the missing objects from a clone or a backup into the repository.',
    items: damaged,
  };
}

/** Compares projects with repositories; `isDeep` also follows the objects of each repository and wiki. */
export const repositoryChecks = (parts: ServiceParts, isDeep: boolean): readonly Check[] => [
  { name: 'repositories', run: () => missingRepositories(parts) },
  { name: 'repository files', run: () => faultyFiles(parts) },
  { name: 'unknown repositories', run: () => unknownRepositories(parts) },
  ...(isDeep ? [{ name: 'objects', run: () => damagedRepositories(parts) }] : []),
];
