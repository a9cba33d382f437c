import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

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

/** Runs git and gives its exit code and output; does not throw if git fails. */
export async function tryGit(folder: string, ...args: string[]): Promise<GitRun> {
  try {
    const { stdout, stderr } = await run('git', args, {
      cwd: folder,
      env: environment,
      maxBuffer: 64 * 1024 * 1024,
    });
    return { code: 0, stdout, stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, stdout, stderr };
  }
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
  await run('mkfifo', [path]);
}

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
