import { spawn } from 'node:child_process';
import { createCipheriv } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Writable } from 'node:stream';
import { git } from '../support/git.ts';

/** The contents of a generated repository; equal plans give equal bytes. */
export interface RepositoryPlan {
  readonly seed: string;
  readonly commits: number;
  /** Bytes of the file that each commit writes. */
  readonly bytes: number;
  /** Number of different paths; commits write to them in turn. */
  readonly paths: number;
}

/** 10 000 commits of 32 KiB of incompressible data: 320 MB. */
export const bigRepository: RepositoryPlan = {
  seed: 'big',
  commits: 10_000,
  bytes: 32 * 1024,
  paths: 2_000,
};

/** The commits of one large push: 100 MB in 100 commits. */
export const largePush: RepositoryPlan = {
  seed: 'large push',
  commits: 100,
  bytes: 1024 * 1024,
  paths: 100,
};

const start = 1_488_326_400;
const foldersCount = 40;

/** A bare repository for `plan`, generated once and cached in the temporary folder; do not change it. */
export async function cachedRepository(plan: RepositoryPlan): Promise<string> {
  const name = `${plan.seed}-${plan.commits}-${plan.bytes}-${plan.paths}.git`.replace(' ', '-');
  const folder = join(tmpdir(), 'millrace-bench-cache', name);
  const isThere = await stat(folder).then(
    () => true,
    () => false,
  );
  if (isThere) return folder;
  const draft = `${folder}.${process.pid}`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(dirname(draft), { recursive: true });
  await git(dirname(draft), 'init', '--quiet', '--bare', '--initial-branch=master', draft);
  await importInto(draft, plan);
  await rename(draft, folder);
  return folder;
}

async function importInto(folder: string, plan: RepositoryPlan): Promise<void> {
  const child = spawn('git', ['fast-import', '--quiet', '--depth=0'], {
    cwd: folder,
    env: {
      PATH: process.env.PATH ?? '',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'fastimport.unpackLimit',
      GIT_CONFIG_VALUE_0: '1',
    },
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  const exit = once(child, 'exit');
  const bytesOf = seededBytes(plan.seed);
  for (let number = 0; number < plan.commits; number += 1) {
    await write(child.stdin, commit(number, plan));
    await write(child.stdin, file(number, bytesOf(plan.bytes)));
  }
  child.stdin.end();
  const [code] = await exit;
  if (code !== 0) throw new Error(`git fast-import ended with ${code}`);
}

/** Pseudo-random bytes, the same for the same seed. */
function seededBytes(seed: string): (length: number) => Buffer {
  const key = Buffer.alloc(16);
  key.write(seed);
  const stream = createCipheriv('aes-128-ctr', key, Buffer.alloc(16));
  return (length) => stream.update(Buffer.alloc(length));
}

const commit = (number: number, { paths }: RepositoryPlan): string => {
  const message = `Change ${number}\n`;
  const pathNumber = number % paths;
  const path =
    pathNumber < foldersCount / 2
      ? `file-${pathNumber}.txt`
      : `folder-${pathNumber % foldersCount}/part-${pathNumber % 7}/file-${pathNumber}`;
  return [
    'commit refs/heads/master',
    `committer Ada <ada@example.com> ${start + number * 600} +0000`,
    `data ${message.length}`,
    message,
    `M 100644 inline ${path}`,
    '',
  ].join('\n');
};

/** Every eighth file is text. */
const file = (number: number, bytes: Buffer): Buffer => {
  const content = number % 8 === 0 ? Buffer.from(asText(bytes)) : bytes;
  return Buffer.concat([Buffer.from(`data ${content.length}\n`), content, Buffer.from('\n')]);
};

const asText = (bytes: Buffer) =>
  bytes.toString('base64').replace(/.{76}/g, '$&\n').slice(0, bytes.length);

async function write(stream: Writable, chunk: string | Buffer): Promise<void> {
  if (!stream.write(chunk)) await once(stream, 'drain');
}
