import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compileCache } from '../../support/compile-cache.ts';

const fileOf = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-command-'));
});
afterAll(() => rm(folder, { recursive: true }));

interface Ended {
  readonly code: number | string | null | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program of the project to its end. */
const run = (
  program: string,
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<Ended> =>
  new Promise((resolve) => {
    const env = {
      PATH: process.env.PATH ?? '',
      ...compileCache(),
      HOME: folder,
      MILLRACE_DATA: folder,
      ...variables,
    };
    execFile(process.execPath, [fileOf(program), ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: error ? error.code : 0, stdout, stderr }),
    );
  });

describe('the server', () => {
  const server = 'server/main.ts';

  test('--help prints the usage', async () => {
    expect(await run(server, ['--help'])).toEqual({
      code: 0,
      stdout: expect.stringMatching(
        /^Usage: millrace serve, or npm start\n.*MILLRACE_DATA.*--version/s,
      ),
      stderr: '',
    });
  });

  test('--version prints the version', async () => {
    expect(await run(server, ['--version'])).toEqual({
      code: 0,
      stdout: 'Millrace 0.2.0\n',
      stderr: '',
    });
  });

  test.each([
    [['--port', '80'], "Unknown option '--port'"],
    [['start'], "Unexpected argument 'start'"],
  ])('%j ends with status 2', async (args, message) => {
    const { code, stdout, stderr } = await run(server, args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr).toMatch(/\nUse --help to list the options\.\n$/);
  });

  test('an invalid setting ends the start with its name, its value and what is allowed', async () => {
    const variables = { PORT: 'http', MILLRACE_RUNNER: 'docker', MILLRACE_ROOT_TOKEN: 'too-short' };
    expect(await run(server, [], variables)).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'PORT must be a port number from 0 to 65535, not http\n' +
        'MILLRACE_ROOT_TOKEN must be 20 to 255 letters, digits, - and _\n' +
        'MILLRACE_RUNNER must be off or shell, not docker\n',
    });
  });

  // starts the embedded database first
  test('a port in use ends the start and names PORT', { timeout: 120_000 }, async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const { code, stderr } = await run(server, [], {
      PORT: String(port),
      MILLRACE_LOG: 'silent',
      MILLRACE_ROOT_PASSWORD: 'correct horse battery',
    });
    other.close();
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `Another program listens on port ${port} of 127.0.0.1. Set PORT to a free port, or stop that program.\n`,
    });
  });
});

describe('the runner', () => {
  const runner = 'server/runner/main.ts';
  const usage = expect.stringMatching(/^Usage:\n {2}millrace-runner register.*--concurrent N/s);

  test.each([[['--help']], [['help']], [['register', '--help']], [['run', '-h']]])(
    '%j prints the usage',
    async (args) => {
      expect(await run(runner, args)).toEqual({ code: 0, stdout: usage, stderr: '' });
    },
  );

  test('--version prints the version', async () => {
    expect(await run(runner, ['--version'])).toEqual({
      code: 0,
      stdout: 'millrace-runner 0.2.0\n',
      stderr: '',
    });
  });

  test('no command prints the usage and ends with status 2', async () => {
    expect(await run(runner, [])).toEqual({ code: 2, stdout: '', stderr: usage });
  });

  const hint = 'Use --help to list the commands and options.\n';
  test.each([
    [['regster'], "Unknown command 'regster'."],
    [['register', '--tokn', 'x'], "Unknown option '--tokn'"],
    [['run', 'now'], "Unexpected argument 'now'"],
  ])('%j ends with status 2', async (args, message) => {
    const { code, stdout, stderr } = await run(runner, args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr.endsWith(hint)).toBe(true);
  });

  test.each([
    [['register'], 'register needs --url and --token\n'],
    [
      ['register', '--url', 'ftp://x', '--token', 'x'],
      '--url must be an http:// or https:// URL, not ftp://x\n',
    ],
    [
      ['register', '--url', 'http://x', '--token', 'x', '--concurrent', 'many'],
      '--concurrent must be a number from 1 to 100, not many\n',
    ],
  ])('%j ends with status 1', async (args, stderr) => {
    expect(await run(runner, args)).toEqual({ code: 1, stdout: '', stderr });
  });

  test('run without a configuration file names it', async () => {
    const path = join(folder, '.millrace-runner', 'config.json');
    expect(await run(runner, ['run'])).toEqual({
      code: 1,
      stdout: '',
      stderr: `There is no ${path}: register a runner first.\n`,
    });
  });
});
