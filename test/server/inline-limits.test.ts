import { expect, test } from 'vitest';
import { world } from '../support/world.ts';

const { as, seed, root, url } = await world();
await seed.project('root/app', {}, { visibility: 'public' });

/** The number of tasks of a kind that worker threads have run. */
async function tasksInThreads(kind: string): Promise<number> {
  const metrics = await (await fetch(`${url}/-/metrics`)).text();
  const line = metrics
    .split('\n')
    .find((each) => each.startsWith('millrace_worker_tasks_total') && each.includes(`"${kind}"`));
  return Number(line?.split(' ').at(-1) ?? 0);
}

const texts = {
  'short.md': 'some *text*',
  'table.md': '|a|b\n|-|-\n|c|d',
  'long.md': 'a '.repeat(300),
  'code.md': '```js\n1\n```',
};
await seed.push('root/app', texts);

test.each([
  { file: 'short.md', threads: 0 },
  { file: 'table.md', threads: 1 },
  { file: 'long.md', threads: 1 },
  { file: 'code.md', threads: 1 },
])('the page of $file needs $threads worker threads', async ({ file, threads }) => {
  const before = await tasksInThreads('markdown-page');
  const page = await fetch(`${url}/root/app/blob/master/${file}`, { redirect: 'manual' });
  expect(page.status).toBe(200);
  expect(await page.text()).toContain('<div class="prose">');
  expect((await tasksInThreads('markdown-page')) - before).toBe(threads);
});

test.each([
  { what: 'lists', content: 'job: { script: [make, "make test"], only: [master] }\n', threads: 0 },
  { what: 'an anchor', content: 'job: &a { script: make }\n', threads: 1 },
  { what: 'an explicit key', content: '? [a]\n: b\n', threads: 1 },
  { what: 'a list as a key', content: '{[a]: b}\n', threads: 1 },
  { what: 'a mapping as a key', content: 'a: { {b: c}: d }\n', threads: 1 },
  { what: 'a list as a key without a value', content: 'a: { b, [c] }\n', threads: 1 },
  { what: 'a comment behind a key', content: 'a: { b: c, [d] # e\n : f }\n', threads: 1 },
  { what: 'a tagged key', content: '{ !!seq [a] }\n', threads: 1 },
])('a CI file with $what needs $threads worker threads', async ({ content, threads }) => {
  const before = await tasksInThreads('ci-file');
  expect((await as(root).post('/ci/lint', { content })).status).toBe(200);
  expect((await tasksInThreads('ci-file')) - before).toBe(threads);
});
