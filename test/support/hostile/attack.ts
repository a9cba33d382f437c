import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, inject, test } from 'vitest';
import { serverProcess } from '../../../server/serve.ts';
import { cloneDatabase } from '../database.ts';
import { freePort } from '../free-port.ts';
import { rootToken, startProcess } from '../process.ts';
import type { HostileCase } from './case.ts';
import { watchLiveness } from './liveness.ts';
import {
  type HostileTarget,
  peakMemory,
  prepareTarget,
  resetPeak,
  residentMemory,
} from './target.ts';

/** Megabytes that the node process may grow by, whatever is sent. */
const mostGrowth = 200;

/**
 * Sends every case to a separate server, started with the production flags, while another
 * connection polls liveness; `environment` has variables of that server. Afterwards the process,
 * its memory and other users must be unaffected.
 */
export async function attack(
  cases: readonly HostileCase[],
  environment: Readonly<Record<string, string>> = {},
): Promise<void> {
  const target = await startTarget(environment);
  const { as, root, project, pid } = target;
  const isUnharmed = async () => (await as(root).get(`/projects/${project.id}`)).status;
  await warmUp(target);
  const before = residentMemory(pid);
  await resetPeak(pid);

  test.each(cases)('survives $title', async ({ send, expected }) => {
    const liveness = watchLiveness(target.url);
    const status = await send(target);
    const { failures } = await liveness.stop();
    expect({ status, failures }).toEqual({ status: expect.toBeOneOf([...expected]), failures: [] });
    expect(await isUnharmed()).toBe(200);
  });

  test(`the process grew by at most ${mostGrowth} MB`, () => {
    expect(peakMemory(pid) - before).toBeLessThan(mostGrowth);
  });
}

async function startTarget(environment: Readonly<Record<string, string>>): Promise<HostileTarget> {
  const database = await cloneDatabase(inject('databaseUrl'));
  const dataFolder = await mkdtemp(join(tmpdir(), 'millrace-hostile-'));
  const { flags, variables, defaults } = serverProcess;
  const server = await startProcess(
    await freePort(),
    {
      ...defaults,
      ...variables,
      DATABASE_URL: database.url,
      MILLRACE_DATA: dataFolder,
      // web hook endpoints of the tests listen on loopback
      MILLRACE_ALLOW_LOCAL_REQUESTS: 'on',
      ...environment,
    },
    flags,
  );
  afterAll(async () => {
    await server.kill('SIGKILL', 'group');
    await database.drop();
    await rm(dataFolder, { recursive: true, force: true });
  });
  const { url, child } = server;
  return prepareTarget({
    url,
    pid: child.pid as number,
    databaseUrl: database.url,
    dataFolder,
    rootToken,
  });
}

/** Sends ordinary requests first, so that lazy loading does not count as memory growth. */
async function warmUp({ as, root, project, url, graphql, soap }: HostileTarget): Promise<void> {
  const client = as(root);
  for (let round = 0; round < 50; round += 1) {
    await client.get('/projects');
    await client.get(`/projects/${project.id}/repository/tree`);
    await client.get(`/projects/${project.id}/repository/commits`);
    await fetch(`${url}/${project.fullPath}`).then((page) => page.text());
    await graphql('{ projects { nodes { name } } }').then((response) => response.text());
  }
  await soap.session(root);
}
