import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '../../prisma/client.ts';
import type { RepositoryAddress } from '../../schema/ports/git/address.ts';
import { orMissing } from '../disk/files.ts';
import { repositoryFolder, type Storages, wikiOf } from '../git/address.ts';
import { wikiBranch } from '../git/wikis/wiki-creation.ts';
import type { ServiceParts } from './check.ts';
import type { CommitKnowledge } from './repository-files.ts';

/** Projects read at once. */
const batch = 500;

/** The projects whose repository must exist: not those that an import or a fork still fills. */
export async function* projectsOf(db: Database) {
  for (let after = 0; ; ) {
    const projects = await db.project.findMany({
      where: { id: { gt: after }, isRemoved: false, importStatus: { in: ['none', 'finished'] } },
      select: {
        ...{ id: true, fullPath: true, storage: true, diskPath: true, defaultBranch: true },
        statistics: { select: { commitCount: true } },
      },
      orderBy: { id: 'asc' },
      take: batch,
    });
    yield projects;
    const last = projects.at(-1);
    if (!last) return;
    after = last.id;
  }
}

/** A repository or a wiki that exists, with what the checks compare it with. */
export interface NamedRepository {
  /** For the administrator: the full path of the project, with `.wiki` for a wiki. */
  readonly name: string;
  readonly repository: RepositoryAddress;
  readonly commits: CommitKnowledge;
  readonly branch: string;
}

/** Whether there is a repository, however damaged: one that has lost its HEAD still has its objects. */
export async function hasRepository(
  storages: Storages,
  repository: RepositoryAddress,
): Promise<boolean> {
  const folder = repositoryFolder(storages, repository);
  for (const name of ['HEAD', 'objects'])
    if ((await orMissing(stat(join(folder, name)))) !== null) return true;
  return false;
}

/** The repositories of projects and their wikis that exist. */
export async function* repositoriesOf({
  config: { storages },
  db,
}: ServiceParts): AsyncGenerator<NamedRepository> {
  for await (const projects of projectsOf(db)) {
    for (const project of projects) {
      const { fullPath: name, storage, diskPath, defaultBranch, statistics } = project;
      if (!storages.has(storage)) continue;
      const repository = { storage, diskPath };
      const wiki = wikiOf(repository);
      const isCounted = (statistics?.commitCount ?? 0n) > 0n;
      // a push gives a project its default branch, and none can delete it
      const commits = isCounted ? 'counted' : defaultBranch === null ? 'unknown' : 'expected';
      if (await hasRepository(storages, repository))
        yield { name, repository, commits, branch: defaultBranch ?? wikiBranch };
      if (await hasRepository(storages, wiki))
        yield { name: `${name}.wiki`, repository: wiki, commits: 'expected', branch: wikiBranch };
    }
  }
}
