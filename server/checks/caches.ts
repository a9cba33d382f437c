import { join } from 'node:path';
import type { RepositoryAddress } from '../../schema/ports/git/address.ts';
import { repositoryFolder } from '../git/address.ts';
import { findDamaged } from '../git/process/cache-files.ts';
import { verifyCaches } from '../git/process/cache-state.ts';
import type { Check, Finding, ServiceParts } from './check.ts';
import { repositoriesOf } from './projects.ts';

/** Bytes of a cache that is compared with its checksum without `--fsck`: of half a million commits. */
const maxQuickBytes = 32 * 2 ** 20;

const objectsOf = (repository: RepositoryAddress, { config }: ServiceParts) =>
  join(repositoryFolder(config.storages, repository), 'objects');

/** Mends the caches in these folders, and has the rest rebuilt. */
async function mendAll(
  folders: readonly string[],
  { renewCaches }: Pick<ServiceParts, 'renewCaches'>,
): Promise<void> {
  const failures: string[] = [];
  for (const objects of folders) {
    await verifyCaches(objects, true);
    failures.push(...(await findDamaged(objects)).map(({ path }) => path));
  }
  await renewCaches(folders);
  if (failures.length === 0) return;
  const reason = 'their pack is damaged, or the folder is read-only';
  throw new Error(`these files cannot be mended (${reason}): ${failures.join(', ')}`);
}

async function* damagedCaches(parts: ServiceParts, isDeep: boolean): AsyncGenerator<Finding> {
  const damaged = parts.tally();
  const folders: string[] = [];
  for await (const { name, repository } of repositoriesOf(parts)) {
    const objects = objectsOf(repository, parts);
    const files = await findDamaged(objects, isDeep ? undefined : maxQuickBytes).catch(() => []);
    if (files.length === 0) continue;
    folders.push(objects);
    for (const { path } of files) damaged.add(name, path.slice(objects.length + 1));
  }
  if (folders.length === 0) return;
  yield {
    level: 'error',
    problem: `damaged caches of repositories, ${damaged.text}`,
    advice:
      'No object is missing because of them. Run millrace doctor --fix: it sets them aside or rebuilds them, and housekeeping builds them again.',
    items: damaged,
    fix: () => mendAll(folders, parts),
  };
}

/** Compares what git derives from objects with its checksums; `isDeep` also in large files. */
export const cacheChecks = (parts: ServiceParts, isDeep: boolean): readonly Check[] => [
  { name: 'caches', run: () => damagedCaches(parts, isDeep) },
];
