import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll } from 'vitest';

const execute = promisify(execFile);

/** The stock runner program with one configuration, shell executor, two jobs at once. */
export interface StockRunner {
  /** Its folder, which its jobs may also use. */
  readonly folder: string;
  /** Registers it with the registration token of the instance or of a project. */
  readonly register: (token: string, name: string, ...args: string[]) => Promise<void>;
  /** Runs it until the test file ends. */
  readonly run: () => void;
}

/** Prepares the runner program `binary` for the service at `url`; it is killed after the test file. */
export async function stockRunner(binary: string, url: string): Promise<StockRunner> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-stock-runner-'));
  const config = join(folder, 'config.toml');
  const env = { PATH: process.env.PATH ?? '', HOME: folder, LC_ALL: 'C' };
  const ends: (() => Promise<unknown>)[] = [];
  afterAll(async () => {
    await Promise.all(ends.map((end) => end()));
    await rm(folder, { recursive: true, force: true });
  });
  return {
    folder,
    register: async (token, name, ...args) => {
      const options = {
        '--config': config,
        '--url': url,
        '--registration-token': token,
        '--name': name,
        '--executor': 'shell',
        '--shell': 'bash',
        '--builds-dir': join(folder, 'builds'),
        '--cache-dir': join(folder, 'cache'),
      };
      const optionArguments = Object.entries(options).flat();
      await execute(binary, ['register', '--non-interactive', ...optionArguments, ...args], {
        env,
      });
    },
    run: () => {
      const settings = readFile(config, 'utf8').then((text) =>
        writeFile(
          config,
          text
            .replace(/^concurrent = .*$/m, 'concurrent = 2')
            .replace(/^check_interval = .*$/m, 'check_interval = 1'),
        ),
      );
      const started = settings.then(() =>
        spawn(binary, ['run', '--config', config, '--working-directory', folder], {
          stdio: 'ignore',
          env,
        }),
      );
      ends.push(async () => {
        const child = await started;
        const exit = once(child, 'exit');
        child.kill('SIGTERM');
        await exit;
      });
    },
  };
}
