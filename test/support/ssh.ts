import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';

const run = promisify(execFile);

export type SshKeyType = 'ed25519' | 'rsa' | 'ecdsa';

/** A key pair that ssh-keygen has written into a folder. */
export interface SshKeyPair {
  readonly file: string;
  /** As users paste it. */
  readonly publicKey: string;
}

export async function sshKeyPair(
  folder: string,
  type: SshKeyType = 'ed25519',
): Promise<SshKeyPair> {
  const file = join(folder, `${type}-${crypto.randomUUID()}`);
  await run('ssh-keygen', ['-q', '-t', type, '-N', '', '-C', 'test', '-f', file]);
  return { file, publicKey: (await readFile(`${file}.pub`, 'utf8')).trim() };
}

/** Options of OpenSSH's client: this key only, no file of known hosts, no questions. */
export const sshOptions = ({ file }: SshKeyPair): readonly string[] =>
  [
    'IdentitiesOnly=yes',
    'StrictHostKeyChecking=no',
    'UserKnownHostsFile=/dev/null',
    'BatchMode=yes',
    'LogLevel=ERROR',
  ]
    .flatMap((option) => ['-o', option])
    .concat('-F', '/dev/null', '-i', file);

/** The result of a command that OpenSSH's client runs at the server. */
export function ssh(port: number, key: SshKeyPair, ...args: readonly string[]) {
  return outcomeOf('ssh', [...sshOptions(key), '-p', String(port), ...args]);
}

/** A command that OpenSSH's client has started and that is not waited for; it ends with the test. */
export function startCommand(port: number, key: SshKeyPair, ...args: readonly string[]) {
  const program = spawn('ssh', [...sshOptions(key), '-p', String(port), ...args]);
  onTestFinished(() => void program.kill());
  let [stdout, stderr] = ['', ''];
  program.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString('latin1');
  });
  program.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  program.stdin.on('error', () => undefined);
  const exit = once(program, 'exit') as Promise<[number]>;
  return {
    stdin: program.stdin,
    stdout: program.stdout,
    output: () => stdout + stderr,
    isRunning: () => program.exitCode === null,
    /** The exit code, and what the client was told. */
    result: async () => ({ code: (await exit)[0], stderr }),
  };
}

/** Runs git in a folder with a key for SSH. */
export function gitWith(key: SshKeyPair, folder: string, ...args: readonly string[]) {
  const command = `ssh ${sshOptions(key).join(' ')}`;
  return outcomeOf('git', ['-C', folder, ...args], { GIT_SSH_COMMAND: command });
}

async function outcomeOf(
  program: string,
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
) {
  const env = {
    PATH: process.env.PATH,
    HOME: '/nonexistent',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'Ada',
    GIT_AUTHOR_EMAIL: 'ada@example.com',
    GIT_COMMITTER_NAME: 'Ada',
    GIT_COMMITTER_EMAIL: 'ada@example.com',
    ...variables,
  };
  return run(program, [...args], { env }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: { code: number; stdout: string; stderr: string }) => ({
      code: error.code,
      stdout: error.stdout,
      stderr: error.stderr,
    }),
  );
}
