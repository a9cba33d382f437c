import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rootToken, type ServerProcess, startProcess } from '../support/process.ts';
import { freePort } from '../support/world.ts';

const run = promisify(execFile);

let server: ServerProcess;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-readme-'));
  server = await startProcess(await freePort(), { MILLRACE_DATA: join(folder, 'var') });
});

afterAll(async () => {
  await server.kill('SIGKILL', 'group');
  await rm(folder, { recursive: true, force: true });
});

test('the tour in README works as written', async () => {
  const readme = await readFile('README.md', 'utf8');
  const tour = readme.split('and in another:')[1]?.split('```')[1]?.replace(/^sh\n/, '') ?? '';
  expect(tour).toContain(rootToken);
  const script = tour
    .replaceAll('http://localhost:8080', server.url)
    .replaceAll('localhost:8080', server.url.replace('http://', ''));
  const { stdout } = await run('bash', ['-euc', script], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', HOME: folder, LC_ALL: 'C' },
  });
  expect(await readFile(join(folder, 'app-again', 'README.md'), 'utf8')).toBe('# App\n');
  expect(stdout).toContain('"name":"README.md","type":"blob"');
  expect(stdout).toContain(Buffer.from('# App\n').toString('base64'));
  expect(stdout).toContain('"project":{"name":"App","defaultBranch":"master"');
});

/** The block of README in a language, for the server of this test. */
async function example(language: string): Promise<string> {
  const readme = await readFile('README.md', 'utf8');
  const code = readme.split(`\n\`\`\`${language}\n`)[1]?.split('\n```')[0] ?? '';
  expect(code).toContain(rootToken);
  return code.replaceAll('http://localhost:8080', server.url);
}

test('the example in PHP works as written', async () => {
  const file = join(folder, 'example.php');
  await writeFile(file, await example('php'));
  const { stdout } = await run('php', [file]);
  expect(stdout).toBe('tools/app\nGrüße\n102 Project Not Found\n');
});

test('the example in Python works as written, given the schema that it asks another host for', async () => {
  const file = join(folder, 'example.py');
  await writeFile(file, await example('python'));
  const encoding = 'node_modules/strong-soap/xsds/soap-encoding.xsd';
  const { stdout } = await run('/usr/bin/python3', [
    '-B',
    'test/fixtures/soap/offline.py',
    encoding,
    file,
  ]);
  expect(stdout).toBe('App\n102 Project Not Found\n');
});

test('the table of variables names all that are read, and no other', async () => {
  const readme = await readFile('README.md', 'utf8');
  const files = ['server/config.ts', 'server/config-directory.ts'];
  const config = (await Promise.all(files.map((file) => readFile(file, 'utf8')))).join('\n');
  const table = readme.split('## Variables')[1]?.split('\n## ')[0] ?? '';
  const told = [...table.matchAll(/^\| (`[^|]+`) \|/gm)].flatMap(([, names = '']) =>
    [...names.matchAll(/`(\w+)`/g)].map(([, name]) => name),
  );
  const read = [...config.matchAll(/^ {2}([A-Z_]+): /gm)].map(([, name]) => name);
  expect(told.toSorted()).toEqual(read.toSorted());
});
