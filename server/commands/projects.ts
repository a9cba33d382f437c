import { Command } from 'commander';
import type { Prisma } from '../../prisma/client.ts';
import { routeKey } from '../../schema/kernel/names.ts';
import { transact } from '../../schema/kernel/storage-errors.ts';
import { enqueueHousekeeping } from '../../schema/repository/housekeeping.ts';
import { hasRepository } from '../checks/projects.ts';
import { connectivityFault } from '../checks/repositories.ts';
import { repositoryFolder, wikiOf } from '../git/address.ts';
import { positiveNumber } from './input.ts';
import type { Operator, RunCommand } from './operator.ts';
import { type OutputOptions, type PrintedRecord, printList, printRecord } from './output.ts';
import { progress } from './progress.ts';
import { withQueue } from './queue.ts';

const columns = {
  id: true,
  fullPath: true,
  visibility: true,
  isArchived: true,
  storage: true,
  importStatus: true,
  diskPath: true,
  lastActivityAt: true,
  statistics: { select: { repositorySize: true } },
} as const satisfies Prisma.ProjectSelect;

type ProjectRow = Prisma.ProjectGetPayload<{ select: typeof columns }>;

const megabyte = 2 ** 20;

const projectRecord = (project: ProjectRow): PrintedRecord => ({
  id: project.id,
  path: project.fullPath,
  visibility: project.visibility,
  archived: project.isArchived,
  repository_mb: Math.round(Number(project.statistics?.repositorySize ?? 0) / megabyte),
  last_activity: project.lastActivityAt.toISOString(),
});

/** A project by its path or its id. */
async function findProject(name: string, { db }: Operator): Promise<ProjectRow> {
  const where = /^[1-9]\d{0,8}$/.test(name)
    ? { id: Number(name) }
    : { route: { key: routeKey(name) } };
  const project = await db.project.findFirst({
    where: { ...where, isRemoved: false },
    select: columns,
  });
  if (!project) throw new Error(`There is no project ${name}.`);
  return project;
}

const projectArgument = ['<project>', 'full path or id'] as const;

interface ListOptions extends OutputOptions {
  readonly search?: string;
  readonly limit: number;
}

async function listProjects({ search, limit, ...output }: ListOptions, { db }: Operator) {
  const projects = await db.project.findMany({
    where: {
      isRemoved: false,
      ...(search !== undefined && { fullPath: { contains: search, mode: 'insensitive' } }),
    },
    select: columns,
    orderBy: { id: 'asc' },
    take: limit,
  });
  printList(projects.map(projectRecord), output);
}

async function moveStorage(
  name: string,
  storage: string,
  operator: Operator,
  options: OutputOptions,
): Promise<void> {
  const project = await findProject(name, operator);
  const { db, storageFolders: storages } = operator;
  // the other commands do not need them
  const [{ gitStore }, { moveProject }] = await Promise.all([
    import('../git/store.ts'),
    import('./move-storage.ts'),
  ]);
  const git = gitStore({ storages });
  const shown = progress();
  try {
    await moveProject(project, storage, { db, git, storages, step: shown.step });
  } finally {
    shown.end();
    await git.close();
  }
  // the copy has no bitmaps
  await withQueue(operator, (jobs) =>
    transact(db, (tx) => enqueueHousekeeping(project.id, tx, { jobs })),
  );
  const folder = repositoryFolder(storages, { ...project, storage });
  printRecord({ path: project.fullPath, storage, folder }, options);
}

/** `millrace project …`. */
export function projectCommands(run: RunCommand): Command {
  const group = new Command('project');
  group
    .command('list')
    .description('List projects')
    .option('--search <text>', 'only projects with this text in their path')
    .option('--limit <number>', 'at most so many', positiveNumber, 100)
    .action((options: ListOptions) => run((operator) => listProjects(options, operator)));
  group
    .command('show')
    .description('Show a project and the folder of its repository')
    .argument(...projectArgument)
    .action((name: string, options: OutputOptions) =>
      run(async (operator) => {
        const project = await findProject(name, operator);
        const folder = repositoryFolder(operator.storageFolders, project);
        printRecord({ ...projectRecord(project), storage: project.storage, folder }, options);
      }),
    );
  group
    .command('move-storage')
    .description('Move the repository and wiki of a project to another storage')
    .argument(...projectArgument)
    .argument('<storage>', 'a name of MILLRACE_STORAGES')
    .action((name: string, storage: string, options: OutputOptions) =>
      run((operator) => moveStorage(name, storage, operator, options)),
    );
  group
    .command('check')
    .description('Check that all objects of a repository and its wiki are there (git fsck)')
    .argument(...projectArgument)
    .action((name: string, options: OutputOptions) =>
      run(async (operator) => {
        const project = await findProject(name, operator);
        const storages = operator.storageFolders;
        const wiki = wikiOf(project);
        for (const repository of [project, wiki]) {
          if (repository === wiki && !(await hasRepository(storages, wiki))) continue;
          const fault = await connectivityFault(storages, repository);
          const path = `${project.fullPath}${repository === wiki ? '.wiki' : ''}`;
          if (fault !== null) throw new Error(`${path}: ${fault}`);
        }
        printRecord({ path: project.fullPath, result: 'ok' }, options);
      }),
    );
  group
    .command('housekeeping')
    .description('Pack a repository in the background, at most once an hour')
    .argument(...projectArgument)
    .action((name: string, options: OutputOptions) =>
      run(async (operator) => {
        const { id, fullPath } = await findProject(name, operator);
        const isQueued = await withQueue(operator, (jobs) =>
          transact(operator.db, (tx) => enqueueHousekeeping(id, tx, { jobs })),
        );
        if (!isQueued) throw new Error(`${fullPath} had its housekeeping within the last hour.`);
        printRecord({ path: fullPath, state: 'queued' }, options);
      }),
    );
  return group;
}
