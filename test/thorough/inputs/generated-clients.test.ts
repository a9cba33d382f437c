import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { world } from '../../support/world.ts';

const { root, url } = await world();
const run = promisify(execFile);

/** Runs a program in the folder of a client; throws with its output if it fails. */
async function runIn(client: string, program: string, args: readonly string[]): Promise<string> {
  try {
    const { stdout } = await run(program, args, { cwd: `test/clients/${client}` });
    return stdout;
  } catch (error) {
    const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string };
    throw new Error(`${program} failed:\n${stdout}${stderr}`);
  }
}

test('a TypeScript client generated from the document compiles and uses the service', async () => {
  const client = 'openapi-fetch';
  mkdirSync(`test/clients/${client}/generated`, { recursive: true });
  const generator = 'node_modules/.bin/openapi-typescript';
  await runIn(client, generator, [`${url}/api/v4/openapi.json`, '-o', 'generated/rest.d.ts']);
  await runIn(client, 'node_modules/.bin/tsc', ['-p', '.']);
  const output = await runIn(client, process.execPath, ['tour.ts', url, root.token]);
  expect(JSON.parse(output)).toEqual({
    project: 'tools/app',
    author: 'root',
    merged: 'merged',
    listed: [{ title: 'How to start?', state: 'closed' }],
    total: '1',
    missing: 404,
  });
});

test('a Perl client generated from the document uses the service', async () => {
  const output = await runIn('openapi-client-perl', 'perl', ['tour.pl', url, root.token]);
  expect(JSON.parse(output)).toEqual({
    project: 'builders/app',
    merged: 'merged',
    listed: [
      { title: 'How to start?', state: 'closed' },
      { title: 'Where to start?', state: 'opened' },
    ],
    total: '2',
    missing: 404,
    refused: '/body/ref',
  });
});
