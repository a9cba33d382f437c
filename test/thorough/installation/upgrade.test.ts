import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, describe, expect, inject, test } from 'vitest';
import { clientOf } from '../../support/client.ts';
import { commandsOf } from '../../support/commands.ts';
import { cloneDatabase } from '../../support/database.ts';
import { freePort } from '../../support/free-port.ts';
import { git } from '../../support/git.ts';
import { rootToken, startProcess } from '../../support/process.ts';

/** A backup of a small service by each released version (test/support/release-dump.ts). */
const releases = 'test/fixtures/releases';
const versions = (await readdir(releases)).map((file) => basename(file, '.tar'));

test('there is a backup of a release', () => {
  expect(versions).toContain('0.2.0');
});

describe.each(versions)('the database of %s', async (version) => {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-upgrade-'));
  const database = await cloneDatabase(inject('databaseUrl'), 'template0');
  const variables = { DATABASE_URL: database.url, MILLRACE_DATA: join(folder, 'data') };
  afterAll(async () => {
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  test('gets the schema of this version, and doctor finds nothing', async () => {
    const { run } = commandsOf(variables);
    const file = join(releases, `${version}.tar`);
    const { code, stdout, stderr } = await run(['backup', 'restore', file]);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).not.toMatch(/^(?:error|warning)/m);
  });

  test('serves its data', async () => {
    const server = await startProcess(await freePort(), variables);
    const root = clientOf(server.url, rootToken);
    const path = '/projects/tools%2Fapp';
    const bodyOf = async (below: string) => (await root.get(`${path}${below}`)).body;
    try {
      const [issue] = (await bodyOf('/issues')) as readonly object[];
      expect(issue).toMatchObject({
        title: 'It fails',
        labels: ['bug'],
        milestone: { title: 'first' },
        assignees: [{ username: 'ada' }],
      });
      expect(await bodyOf('/merge_requests')).toMatchObject([{ title: 'Add a', state: 'opened' }]);
      expect(await bodyOf('/wikis/home')).toMatchObject({ content: 'welcome' });
      expect(await bodyOf('/snippets')).toMatchObject([{ title: 's' }]);
      expect(await bodyOf('/hooks')).toMatchObject([{ url: 'https://hooks.example.com/' }]);
      // sealed by the secret.key of the backup
      expect(await bodyOf('/variables/KEY')).toMatchObject({ value: 'a value' });
      expect(await bodyOf('/repository/tags')).toMatchObject([{ name: 'v1', release: {} }]);
      const remote = `${server.url.replace('://', `://root:${rootToken}@`)}/tools/app.git`;
      expect(await git(folder, 'ls-remote', '--heads', remote)).toMatch(/refs\/heads\/topic/);
      const login = new URLSearchParams({ login: 'ada', password: 'a password for tests' });
      const signedIn = await fetch(`${server.url}/api/v4/session`, { method: 'POST', body: login });
      expect(signedIn.status).toBe(201);
      const next = await root.post(`${path}/issues`, { title: 'Another one' });
      expect(next).toMatchObject({ status: 201, body: { iid: 2 } });
    } finally {
      await server.kill('SIGTERM');
    }
  });
});
