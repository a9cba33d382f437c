import type { Database } from '../../prisma/client.ts';
import { repositoryExists, wikiOf } from '../git/address.ts';
import { wikiBranch } from '../git/wikis/wiki-creation.ts';
import type { ServiceParts } from './check.ts';

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

/** The repositories of projects and their wikis that exist, with names for the administrator. */
export async function* repositoriesOf({ config, db }: ServiceParts) {
  const { storages } = config;
  for await (const projects of projectsOf(db)) {
    for (const project of projects) {
      if (!storages.has(project.storage)) continue;
      const wiki = wikiOf(project);
      const hasCommits = (project.statistics?.commitCount ?? 0n) > 0n;
      if (await repositoryExists(storages, project))
        yield {
          ...{ name: project.fullPath, hasCommits, repository: project },
          branch: project.defaultBranch ?? wikiBranch,
        };
      if (await repositoryExists(storages, wiki))
        yield {
          ...{ name: `${project.fullPath}.wiki`, hasCommits: false, repository: wiki },
          branch: wikiBranch,
        };
    }
  }
}
