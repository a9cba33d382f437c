import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import process from 'node:process';
import { promisify } from 'node:util';

/*
 * Runs git for the tests of a worker. The worker has hundreds of megabytes, so that it cannot do anything else
 * for some 6 ms whenever it starts a program; this one is small.
 */

const run = promisify(execFile);

/** The real git program, without system or user configuration. */
const environment = {
  PATH: process.env.PATH ?? '',
  HOME: tmpdir(),
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_TERMINAL_PROMPT: '0',
  // no sample hooks in new repositories
  GIT_TEMPLATE_DIR: '',
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.com',
  GIT_AUTHOR_DATE: '2017-10-01T12:00:00Z',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.com',
  GIT_COMMITTER_DATE: '2017-10-01T12:00:00Z',
};

export interface GitRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface GitRequest {
  readonly id: number;
  readonly folder: string;
  readonly args: readonly string[];
}

export interface GitAnswer extends GitRun {
  readonly id: number;
}

process.on('message', async ({ id, folder, args }: GitRequest) => {
  const result = await gitIn(folder, args);
  process.send?.({ id, ...result } satisfies GitAnswer);
});
process.once('disconnect', () => process.exit());

async function gitIn(folder: string, args: readonly string[]): Promise<GitRun> {
  try {
    const { stdout, stderr } = await run('git', args, {
      cwd: folder,
      env: environment,
      maxBuffer: 64 * 1024 * 1024,
    });
    return { code: 0, stdout, stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as GitRun;
    return { code, stdout, stderr };
  }
}
