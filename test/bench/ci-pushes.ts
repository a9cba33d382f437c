import { rm } from 'node:fs/promises';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { commit, git, workTree } from '../support/git.ts';
import type { Ci } from './ci.ts';
import type { Pace } from './measure.ts';
import { untilIdle } from './memory.ts';
import { median } from './table.ts';
import { asPusher, type World } from './world.ts';

export const pushToPipeline = 'push-to-pipeline';

const pushes = 20;
const jobCount = 100;

/** Milliseconds. */
const mostDelay = 300;

/** Measures the time between the end of a push and its pipeline of a hundred jobs in the API. */
export async function measurePushes(
  { service, users }: World,
  { projects }: Ci,
  { pids }: Pace,
): Promise<void> {
  // the first branch of a repository is protected
  const { member: master } = users;
  const [project] = projects;
  if (!project) throw new Error('the world has no CI project');
  const list = `${service.url}/api/v4/projects/${project.id}/pipelines?per_page=1`;
  const newest = async (): Promise<{ readonly id: number; readonly sha: string } | null> => {
    const response = await fetch(list, { headers: { 'Private-Token': master.token } });
    const [pipeline] = (await response.json()) as { id: number; sha: string }[];
    return pipeline ?? null;
  };
  const jobs = Array.from(
    { length: jobCount },
    (_, n) =>
      `job ${n}:\n  stage: ${n < 50 ? 'build' : 'test'}\n  script: [make, make part-${n}]\n`,
  );
  const folder = await workTree({
    '.gitlab-ci.yml': `stages: [build, test]\nvariables: { A: b }\n${jobs.join('')}`,
  });
  const remote = `${service.url}/${project.fullPath}.git`;
  const delays: number[] = [];
  for (let turn = 0; turn < pushes; turn += 1) {
    const sha = await commit(folder, { 'turn.txt': `turn ${turn}\n` }, `Turn ${turn}`);
    await untilIdle(pids);
    await git(folder, ...asPusher(master.token), 'push', '--quiet', remote, 'HEAD:turns');
    const end = performance.now();
    while ((await newest())?.sha !== sha) {
      if (performance.now() - end > 10_000) throw new Error('no pipeline 10 s after a push');
      await pause(2);
    }
    delays.push(performance.now() - end);
  }
  await rm(folder, { recursive: true });
  const delay = median(delays);
  process.stdout.write(
    `${pushToPipeline}, ${jobCount} jobs: ${delay.toFixed(0)} ms after the push ` +
      `(${Math.min(...delays).toFixed(0)}–${Math.max(...delays).toFixed(0)}), ` +
      `goal ≤ ${mostDelay} ms ${delay <= mostDelay ? 'ok' : 'short'}\n`,
  );
}
