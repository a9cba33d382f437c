import { stat, statfs } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../prisma/client.ts';
import type { RepositoryAddress } from '../../schema/ports/git/address.ts';
import type { References } from '../../schema/ports/git/copying.ts';
import { isImportUnfinished } from '../../schema/projects/policy.ts';
import { holdPushes } from '../../schema/repository/ledger.ts';
import { connectivityFault } from '../checks/repositories.ts';
import { repositoryExists, repositoryFolder, type Storages, wikiOf } from '../git/address.ts';
import { hasGitProcess } from '../git/process/active-writers.ts';
import { withMark } from '../git/repositories/creation.ts';
import type { ClosableGitStore } from '../git/store.ts';

interface MovedProject extends RepositoryAddress {
  readonly id: number;
  readonly fullPath: string;
  readonly importStatus: string;
}

interface MoveParts {
  readonly db: Database;
  readonly git: ClosableGitStore;
  readonly storages: Storages;
  /** Called with what is done now. */
  readonly step: (name: string) => void;
}

/** Milliseconds. */
const limits = {
  /** For pushes that have begun to be settled. */
  pushes: 60_000,
  /** The longest transaction that holds pushes. */
  held: 900_000,
  /** For requests that have read the former address. */
  requests: 1_000,
  /** For clones that read the former repository; afterwards they fail. */
  readers: 600_000,
  /** Between two looks. */
  look: 100,
};

/** Free space that stays, as a share of the repository's size. */
const reserve = 1.1;

/**
 * Moves the repository and the wiki of a project to another storage while servers run. Almost
 * everything is copied first; then pushes are refused for as long as it takes to copy what has
 * changed since, and the project's record gets the new storage. No push that was acknowledged is
 * lost. A kill leaves the project on exactly one of both storages: each has a mark until the other
 * copy is removed, and servers remove the copy that the record does not name.
 */
export async function moveProject(
  project: MovedProject,
  storage: string,
  parts: MoveParts,
): Promise<void> {
  const { git, storages, step } = parts;
  await refuseUnfit(project, storage, parts);
  const { diskPath } = project;
  const from = { storage: project.storage, diskPath };
  const to = { storage, diskPath };
  const pairs = [{ from, to }];
  if (await repositoryExists(storages, wikiOf(from))) {
    pairs.push({ from: wikiOf(from), to: wikiOf(to) });
  }
  await withMark(storages, from, async () => {
    const then = await inNew(
      pairs.map((pair) => pair.to),
      git,
      async () => {
        for (const pair of pairs) {
          step('copy');
          await git.mirrorRepository(pair.from, pair.to);
          step('check');
          const fault = await connectivityFault(storages, pair.to);
          if (fault !== null) throw new Error(`${project.fullPath}: ${fault}`);
        }
        return switchOver(project, pairs, parts);
      },
    );
    step('wait for running clones');
    await readersEnd(pairs, storages);
    for (const [index, pair] of pairs.entries()) {
      await git.bringLateReferences(pair.from, pair.to, then[index] ?? new Map());
    }
    await git.remove(from);
  });
}

interface Pair {
  readonly from: RepositoryAddress;
  readonly to: RepositoryAddress;
}

async function refuseUnfit(project: MovedProject, storage: string, { git, storages }: MoveParts) {
  const root = storages.get(storage);
  if (root === undefined) {
    throw new Error(
      `There is no storage ${storage}: it is one of ${[...storages.keys()].join(', ')}.`,
    );
  }
  if (storage === project.storage) throw new Error(`${project.fullPath} is in ${storage} already.`);
  if (isImportUnfinished(project)) {
    throw new Error(`${project.fullPath} is not complete yet: wait until its import has finished.`);
  }
  if (!(await repositoryExists(storages, project))) {
    throw new Error(`The repository of ${project.fullPath} is missing: see \`millrace doctor\`.`);
  }
  const folder = repositoryFolder(storages, project);
  const [there, here, space] = await Promise.all([stat(root), stat(folder), statfs(root)]);
  // on the same disk, files are linked
  if (there.dev === here.dev) return;
  const size = (await git.size(project)) * reserve;
  const free = space.bavail * space.bsize;
  if (free < size) {
    throw new Error(
      `The storage ${storage} has ${mebibytes(free)} MiB free of ${mebibytes(size)}.`,
    );
  }
}

const mebibytes = (bytes: number) => Math.round(bytes / 2 ** 20);

/** Creates empty repositories for `work`, which stores the record that names them; without it they are removed. */
const inNew = <Result>(
  [first, ...others]: readonly RepositoryAddress[],
  git: ClosableGitStore,
  work: () => Promise<Result>,
): Promise<Result> => (first ? git.create(first, () => inNew(others, git, work)) : work());

/** Copies what has changed since the first copy, and stores the new address. Returns the references of each repository. */
const switchOver = (
  { id, storage, diskPath, fullPath }: MovedProject,
  pairs: readonly Pair[],
  { db, git, storages, step }: MoveParts,
): Promise<readonly References[]> =>
  db.$transaction(
    async (tx) => {
      await tx.$queryRaw`
        SELECT set_config('idle_in_transaction_session_timeout', ${String(limits.held)}, true)`;
      step('hold pushes');
      await holdPushes(tx, id);
      const late = Date.now() + limits.pushes;
      while ((await tx.push.count({ where: { projectId: id } })) > 0) {
        if (Date.now() > late)
          throw new Error(`${fullPath} has unsettled pushes: try again later.`);
        await pause(limits.look);
      }
      const references: References[] = [];
      for (const { from, to } of pairs) references.push(await git.mirrorRepository(from, to));
      const hasWiki = await repositoryExists(storages, wikiOf({ storage, diskPath }));
      if (hasWiki !== pairs.length > 1) throw new Error('A wiki was created: try again.');
      // raw SQL, because a move must not change the project's `updated_at`
      const count = await tx.$executeRaw`
        UPDATE projects SET storage = ${pairs[0]?.to.storage}
        WHERE id = ${id} AND storage = ${storage} AND disk_path = ${diskPath} AND NOT is_removed
          AND import_status NOT IN ('scheduled', 'started')`;
      if (count === 0) throw new Error(`${fullPath} was removed or changed meanwhile.`);
      return references;
    },
    { timeout: limits.held },
  );

/** Waits for requests of servers, and until no git process on this machine reads or writes the former repositories. */
async function readersEnd(pairs: readonly Pair[], storages: Storages): Promise<void> {
  const late = Date.now() + limits.readers;
  await pause(limits.requests);
  for (const { from } of pairs) {
    const folder = repositoryFolder(storages, from);
    while (Date.now() < late && (await hasGitProcess(folder)) === true) await pause(limits.look);
  }
}
