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
 * Edits of the pages of one wiki, from 20 connections at once; each is a commit of its own. Throws
 * where one of them is not among the wiki's commits.
 */
export async function measureWikiEdits(
  { service }: World,
  { projectId, developer, slugs, wikiFolder }: Activity,
  { runs, seconds, warmUp, pids }: Pace,
): Promise<void> {
  const commits = async () => Number(await git(wikiFolder, 'rev-list', '--count', 'master'));
  let made = 0;

  const edit = async (): Promise<void> => {
    made += 1;
    const slug = encodeURIComponent(slugs[made % slugs.length] ?? '');
    const url = `${service.url}/api/v4/projects/${projectId}/wikis/${slug}`;
    const answer = await fetch(url, {
      method: 'PUT',
      headers: { 'Private-Token': developer.token, 'Content-Type': 'application/json' },
      body: JSON.stringify({ content: `This is edit ${made}.\n`.repeat(20) }),
    });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}: ${text}`);
  };

  /** Edits for some seconds; gives how many of them there were in each. */
  const run = async (length: number): Promise<number> => {
    const [start, before] = [performance.now(), made];
    const end = start + length * 1000;
    const worker = async () => {
      while (performance.now() < end) await edit();
    };
    await Promise.all(Array.from({ length: connections }, worker));
    return ((made - before) * 1000) / (performance.now() - start);
  };

  const before = await commits();
  await run(warmUp);
  const rates: number[] = [];
  for (let round = 0; round < runs; round += 1) {
    await untilIdle(pids);
    rates.push(await run(seconds));
  }
  const kept = (await commits()) - before;
  if (kept !== made) throw new Error(`of ${made} edits ${kept} are kept`);
  const spread = `(${Math.min(...rates).toFixed(0)}–${Math.max(...rates).toFixed(0)})`;
  process.stdout.write(
    `${wikiEdit}, ${connections} at a time: ${median(rates).toFixed(0)} edits/s ${spread}, ` +
      `${made} commits, goal ≥ ${goal} ${median(rates) >= goal ? 'ok' : 'short'}\n`,
  );
}
