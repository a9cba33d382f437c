import { type ChildProcess, execFile, fork } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { GitAnswer, GitRequest, GitRun } from './git-program.ts';

export type { GitRun } from './git-program.ts';

const run = promisify(execFile);

const programPath = fileURLToPath(new URL('git-program.ts', import.meta.url));

const waiting = new Map<number, (answer: GitRun) => void>();
let program: ChildProcess | null = null;
let requests = 0;

/** The program that runs git for this worker; it ends with the worker. */
function gitProgram(): ChildProcess {
  if (program?.connected) return program;
  const started = fork(programPath, { execArgv: [], serialization: 'advanced' });
  started.on('message', ({ id, ...answer }: GitAnswer) => {
    waiting.get(id)?.(answer);
    waiting.delete(id);
    if (waiting.size === 0) started.channel?.unref();
  });
  started.once('exit', () => {
    for (const answer of waiting.values()) answer({ code: 1, stdout: '', stderr: 'git was lost' });
    waiting.clear();
  });
  started.unref();
  program = started;
  return started;
}

/** Runs git and gives its exit code and output; does not throw if git fails. */
export async function tryGit(folder: string, ...args: string[]): Promise<GitRun> {
  const runner = gitProgram();
  requests += 1;
  const request: GitRequest = { id: requests, folder, args };
  return new Promise((resolve) => {
    waiting.set(request.id, resolve);
    runner.channel?.ref();
    runner.send(request);
  });
}

/** Runs git, throws if it fails; gives its output without the trailing newline. */
export async function git(folder: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await tryGit(folder, ...args);
  if (code !== 0) throw new Error(`git ${args.join(' ')} ended with ${code}: ${stderr}`);
  return stdout.trimEnd();
}

export const temporaryFolder = () => mkdtemp(join(tmpdir(), 'millrace-work-'));

export type Files = Readonly<Record<string, string | Buffer>>;

/** Replaces a loose object so that git waits endlessly for it, as on a disk that does not respond. */
export async function makeObjectHang(bare: string, id: string): Promise<void> {
  const path = join(bare, 'objects', id.slice(0, 2), id.slice(2));
  await rm(path);
  await makeFifo(path);
}

/** A pipe, which programs that open it to read wait for. */
export const makeFifo = (path: string) => run('mkfifo', [path]);

/** A work tree with one commit that holds `files`, on branch `master`. */
export async function workTree(files: Files): Promise<string> {
  const folder = await temporaryFolder();
  await git(folder, 'init', '--quiet', '--initial-branch=master');
  await commit(folder, files, 'Initial commit');
  return folder;
}

/** Writes `files` and commits everything; gives the commit's SHA. */
export async function commit(folder: string, files: Files, message: string): Promise<string> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  await git(folder, 'add', '--all');
  await git(folder, 'commit', '--quiet', '--allow-empty', `--message=${message}`);
  return git(folder, 'rev-parse', 'HEAD');
}
