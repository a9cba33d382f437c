import process from 'node:process';
import { git } from '../support/git.ts';
import type { Activity } from './activity.ts';
import { wikiEdit } from './activity-cases.ts';
import type { Pace } from './measure.ts';
import { untilIdle } from './memory.ts';
import { median } from './table.ts';
import type { World } from './world.ts';

/** Edits per second of one wiki. */
const goal = 100;
const connections = 20;

/**
 * Edits pages of one wiki from 20 connections at once; each edit is one commit. Throws if an edit
 * is missing from the wiki's commits.
 */
export async function measureWikiEdits(
  { service }: World,
  { projectId, developer, slugs, wikiFolder }: Activity,
  { runs, seconds, warmUp, pids }: Pace,
): Promise<void> {
  const commits = async () => Number(await git(wikiFolder, 'rev-list', '--count', 'master'));
  let editCount = 0;

  const edit = async (): Promise<void> => {
    editCount += 1;
    const slug = encodeURIComponent(slugs[editCount % slugs.length] ?? '');
    const url = `${service.url}/api/v4/projects/${projectId}/wikis/${slug}`;
    const response = await fetch(url, {
      method: 'PUT',
      headers: { 'Private-Token': developer.token, 'Content-Type': 'application/json' },
      body: JSON.stringify({ content: `This is edit ${editCount}.\n`.repeat(20) }),
    });
    const text = await response.text();
    if (response.status !== 200)
      throw new Error(`${url} responded with ${response.status}: ${text}`);
  };

  /** Edits for `length` seconds; gives the edits per second. */
  const run = async (length: number): Promise<number> => {
    const [start, before] = [performance.now(), editCount];
    const end = start + length * 1000;
    const worker = async () => {
      while (performance.now() < end) await edit();
    };
    await Promise.all(Array.from({ length: connections }, worker));
    return ((editCount - before) * 1000) / (performance.now() - start);
  };

  const before = await commits();
  await run(warmUp);
  const rates: number[] = [];
  for (let round = 0; round < runs; round += 1) {
    await untilIdle(pids);
    rates.push(await run(seconds));
  }
  const stored = (await commits()) - before;
  if (stored !== editCount) throw new Error(`of ${editCount} edits ${stored} are stored`);
  const spread = `(${Math.min(...rates).toFixed(0)}–${Math.max(...rates).toFixed(0)})`;
  process.stdout.write(
    `${wikiEdit}, ${connections} at a time: ${median(rates).toFixed(0)} edits/s ${spread}, ` +
      `${editCount} commits, goal ≥ ${goal} ${median(rates) >= goal ? 'ok' : 'short'}\n`,
  );
}
