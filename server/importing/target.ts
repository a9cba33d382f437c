import type { z } from 'zod';
import type { Database, Transaction } from '../../prisma/client.ts';
import { routeKey } from '../../schema/kernel/names.ts';
import { transact } from '../../schema/kernel/storage-errors.ts';
import type { LabelledProject } from '../../schema/labels/available.ts';
import type { RepositoryAddress } from '../../schema/ports/git/address.ts';
import { createProjectIn } from '../../schema/projects/create.ts';
import type { TargetNamespace } from '../../schema/projects/target.ts';
import { findTargetNamespace } from '../../schema/projects/target.ts';
import type { ImportParts } from './parts.ts';
import type { projectShape } from './shapes.ts';
import { cut, longestText } from './texts.ts';

/** A project at the source. */
export type Original = z.infer<typeof projectShape>;

/** The project that an import fills. */
export interface Target extends LabelledProject {
  readonly fullPath: string;
  readonly repository: RepositoryAddress;
  readonly namespace: TargetNamespace;
  /** An earlier import has finished it. */
  readonly isFinished: boolean;
  readonly defaultBranch: string | null;
}

const columns = {
  id: true,
  fullPath: true,
  storage: true,
  diskPath: true,
  defaultBranch: true,
  import: { select: { source: true, finishedAt: true } },
} as const;

const settingsOf = (original: Original) => ({
  name: original.name,
  path: original.path,
  // until it is complete, for those only who see all projects, and its members
  visibility: 'private' as const,
  description: original.description ? cut(original.description, longestText) : null,
  tagList: original.topics ?? original.tag_list ?? [],
  issuesEnabled: original.issues_enabled ?? true,
  mergeRequestsEnabled: original.merge_requests_enabled ?? true,
  wikiEnabled: original.wiki_enabled ?? true,
  snippetsEnabled: original.snippets_enabled ?? true,
  jobsEnabled: original.jobs_enabled ?? true,
});

/**
 * The project below the namespace `to` that an import of `original` fills: a new one, which no user
 * may push to until the import has finished, or the one that an interrupted import began. Throws if
 * there is no such namespace, or if another project has the path.
 */
export async function targetOf(
  original: Original,
  to: string,
  parts: ImportParts,
): Promise<Target> {
  const { source, db, importer } = parts;
  const address = source.addressOf(`projects/${original.id}`);
  const namespace = await findTargetNamespace({ route: { key: routeKey(to) } }, importer, parts);
  if (!namespace) throw new Error(`There is no group or user ${to}: name one with --to.`);
  const fullPath = `${namespace.fullPath}/${original.path}`;
  const find = () =>
    db.project.findFirst({
      where: { route: { key: routeKey(fullPath) }, isRemoved: false },
      select: columns,
    });
  let project = await find();
  if (!project) {
    const origin = {
      columns: { importStatus: 'started' },
      follow: async (tx: Transaction, projectId: number) => {
        await tx.import.create({ data: { source: address, projectId }, select: { id: true } });
      },
    } as const;
    await createProjectIn(namespace, settingsOf(original), importer, parts, origin);
    project = await find();
  }
  if (project?.import?.source !== address) {
    throw new Error(`${fullPath} exists and is no import of ${address}: name another --to.`);
  }
  const { id, storage, diskPath, defaultBranch } = project;
  const repository = { storage, diskPath };
  const isFinished = project.import.finishedAt !== null;
  return { id, fullPath, repository, namespace, isFinished, defaultBranch };
}

/**
 * Runs a transaction that adds records to the project. Those of one import run one after another,
 * also if two commands import it: what a record needs is checked and written together. Throws if
 * the project was removed or finished meanwhile.
 */
export const addTo = <Result>(
  { id, fullPath }: Target,
  db: Database,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> =>
  transact(db, async (tx) => {
    const unfinished = await tx.$queryRaw<unknown[]>`
      SELECT imports.id FROM imports JOIN projects ON projects.id = project_id
      WHERE project_id = ${id} AND finished_at IS NULL AND NOT is_removed
      FOR UPDATE OF imports`;
    if (unfinished.length === 0) {
      throw new Error(`${fullPath} was removed, or another command has finished its import.`);
    }
    return work(tx);
  });
