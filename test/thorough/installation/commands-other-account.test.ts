import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../support/free-port.ts';
import { type ServerProcess, startProcess } from '../../support/process.ts';

const program = fileURLToPath(new URL('../../../server/millrace.ts', import.meta.url));
/** `nobody` on Debian. */
const nobody = { uid: 65534, gid: 65534 };

let folder: string;
let server: ServerProcess;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-account-'));
  // other accounts may enter the folder around the data
  await chmod(folder, 0o777);
  server = await startProcess(await freePort(), { MILLRACE_DATA: join(folder, 'data') });
});
afterAll(async () => {
  await server.kill('SIGTERM');
  await rm(folder, { recursive: true });
});

/** Runs a command as `nobody`. */
async function run(args: readonly string[]) {
  const child = spawn(process.execPath, [program, ...args], {
    ...nobody,
    cwd: folder,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: folder,
      NODE_COMPILE_CACHE: '',
      MILLRACE_DATA: join(folder, 'data'),
    },
  });
  child.stdin.end('password\n');
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      text += chunk;
    });
  }
  const [code] = await once(child, 'close');
  return { code: code as number, text };
}

// only root can start a program as another account
describe.runIf(process.getuid?.() === 0)('commands of another account', () => {
  test.each([
    ['user', 'list'],
    ['user', 'token', 'root'],
    ['user', 'set-password', 'root'],
    ['settings', 'get'],
    ['runner', 'token'],
    ['project', 'list'],
    ['audit', 'export'],
    ['backup', 'create', '--to', '.'],
    ['doctor'],
    ['migrate', 'status'],
    ['migrate', 'run'],
  ])('millrace %s %s %s %s', async (...args) => {
    const before = await readdir(folder);
    const { code, text } = await run(args);
    expect({ code, text }).toEqual({
      code: 1,
      text: `This account may not use the data folder ${join(folder, 'data')}: run the command as the account of the server.\n`,
    });
    expect(await readdir(folder)).toEqual(before);
  });
});
