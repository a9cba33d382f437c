import { expect, test } from 'vitest';
import { clientOf } from '../../support/client.ts';
import { git, tryGit, workTree } from '../../support/git.ts';
import { deleteAfterTest, killableServers, remoteOf } from '../../support/killable.ts';
import { rootToken } from '../../support/process.ts';

test('after kill -9 before it is created, the merge request of a push is created by the next start', async () => {
  const { start, session } = await killableServers();
  const folder = deleteAfterTest(await workTree({ 'a.txt': 'a\n' }));
  const first = await start();
  const api = clientOf(first.url, rootToken);
  expect((await api.post('/projects', { path: 'app' })).status).toBe(201);
  const remote = remoteOf(first, 'app');
  await git(folder, 'push', '--quiet', remote, 'master');
  await git(folder, 'commit', '--quiet', '--allow-empty', '--message=Search');

  // the merge request cannot be written
  await session.query('BEGIN');
  await session.query('LOCK TABLE merge_requests IN EXCLUSIVE MODE');
  const options = ['-o', 'merge_request.create', '-o', 'merge_request.label=bug'];
  const pushing = tryGit(folder, 'push', ...options, remote, 'master:search');
  const waiting = `SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'merge_requests'::regclass`;
  await expect.poll(async () => (await session.query(waiting)).rows.length).toBe(1);
  await first.kill('SIGKILL', 'group');
  expect((await pushing).code).not.toBe(0);
  await session.query('ROLLBACK');

  const second = await start();
  const after = clientOf(second.url, rootToken);
  const list = async () => (await after.get('/projects/root%2Fapp/merge_requests')).body;
  const mergeRequest = { title: 'Search', source_branch: 'search', labels: ['bug'] };
  await expect.poll(list).toMatchObject([mergeRequest]);
}, 120_000);
