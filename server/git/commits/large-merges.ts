import { turnsOf } from '../../scheduling/heavy-work.ts';
import type { ObjectInfo } from '../objects/response-reader.ts';
import { runGit } from '../process/run.ts';

/** Git holds several copies of all three versions of a file in memory to merge it. */
const maxMergedFileBytes = 32 * 1024 * 1024;
const maxConcurrent = 4;
const maxListBytes = 64 * 1024 * 1024;

interface Merge {
  /** The change to apply: from one commit (or tree) to another. */
  readonly before: string;
  readonly after: string;
  /** The commit that the change is applied to. */
  readonly onto: string;
}

const modifiedEntry = /^:\d+ \d+ ([0-9a-f]{40}) ([0-9a-f]{40}) M$/;

const turn = turnsOf('merge-sizes', maxConcurrent);

/** Whether applying the change would merge files above the size limit that both sides have changed. */
export async function mergesLargeFiles(
  folder: string,
  { before, after, onto }: Merge,
  info: (name: string) => Promise<ObjectInfo | null>,
): Promise<boolean> {
  const options = ['-r', '-z', '--raw', '--no-abbrev', '--no-renames', '--diff-filter=M'];
  const args = [`--git-dir=${folder}`, 'diff-tree', ...options, before, after, '--'];
  const stdout = await turn(() => runGit(args, { limit: maxListBytes }), { project: folder });
  const parts = stdout.toString().split('\0');
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [, from = '', to = ''] = modifiedEntry.exec(parts[at] ?? '') ?? [];
    const ours = await info(`${onto}:${parts[at + 1]}`);
    // changed on one side only: git does not merge the contents
    if (from === '' || ours?.id === from) continue;
    const sizes = [ours, await info(from), await info(to)].map((object) => object?.size ?? 0);
    if (sizes.some((size) => size > maxMergedFileBytes)) return true;
  }
  return false;
}
