import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readChain, verifyChain } from '../../../server/backup/chain.ts';
import { commandsOf } from '../../support/commands.ts';
import { cloneDatabase } from '../../support/database.ts';
import { world } from '../../support/world.ts';

const { as, seed, root, databaseUrl, dataFolder } = await world();
const service = { DATABASE_URL: databaseUrl, MILLRACE_DATA: dataFolder };
const { run, start, json } = commandsOf(service);
const folder = await mkdtemp(join(tmpdir(), 'millrace-backup-damage-'));
const small = join(folder, 'small');
let isMounted = false;
afterAll(async () => {
  if (isMounted) execFileSync('umount', ['--lazy', small]);
  await rm(folder, { recursive: true });
});

let bytes: Buffer;
beforeAll(async () => {
  const { id } = await seed.project('root/app', {});
  await seed.push('root/app', { 'a.txt': 'a' });
  const form = new FormData();
  form.set('file', new File([new Uint8Array(700)], 'zeros.bin'));
  await as(root).fetch(`/projects/${id}/uploads`, { method: 'POST', body: form });
  const { file } = (await json(['backup', 'create', '--to', folder, '--with-secrets'])) as {
    readonly file: string;
  };
  bytes = await readFile(file);
  await rm(file);
});

/** The failure of `backup verify` for these bytes, without a process; null if it finds nothing. */
async function faultOf(content: Uint8Array): Promise<string | null> {
  const file = join(folder, 'changed.tar');
  await writeFile(file, content);
  try {
    await verifyChain(await readChain(file), () => {});
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Where the content of an entry begins. */
const contentAt = (name: string) => bytes.indexOf(`${name}\0`) + 512;

const flipped = (at: number): Buffer => {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ 1;
  return copy;
};

describe('millrace backup verify', () => {
  test('finds a backup that is truncated at any point', async () => {
    expect(await faultOf(bytes)).toBe(null);
    for (let size = 0; size < bytes.length; size += 331)
      expect([size, await faultOf(bytes.subarray(0, size))]).toEqual([size, expect.any(String)]);
    for (const less of [1, 511, 512, 1_024])
      expect(await faultOf(bytes.subarray(0, -less))).toMatch(
        /^changed\.tar is (?:truncated: it ends at byte \d+, after manifest\.json|incomplete)/,
      );
  });

  test('finds a bit that is wrong, wherever it is', async () => {
    const everywhere = Array.from({ length: 150 }, (_, index) =>
      Math.floor((index * bytes.length) / 150),
    );
    const telling = ['backup.json', 'database/public.users.copy.gz', 'manifest.json'].flatMap(
      (name) => [contentAt(name) - 512, contentAt(name) + 40],
    );
    for (const at of [...everywhere, ...telling])
      expect([at, await faultOf(flipped(at))]).toEqual([at, expect.any(String)]);
  });

  test('names the file, the entry and the place in words', async () => {
    const users = contentAt('database/public.users.copy.gz');
    const start = users - 512;
    const size = Number.parseInt(bytes.toString('latin1', start + 124, start + 135), 8);
    const next = users + Math.ceil(size / 512) * 512;
    const cases: Readonly<Record<string, [Uint8Array, string | RegExp]>> = {
      'an empty file': [Buffer.alloc(0), /changed\.tar is not a backup of Millrace: it is empty$/],
      'random bytes': [
        crypto.getRandomValues(new Uint8Array(20_000)),
        /is not a backup of Millrace: it is damaged at byte 0, at its beginning: there is no entry of a backup$/,
      ],
      'a text': [await readFile(fileURLToPath(import.meta.url)), /is not a backup of Millrace: /],
      'half of the description': [
        bytes.subarray(0, 700),
        'changed.tar is truncated: it ends at byte 700, inside backup.json',
      ],
      'half of an entry': [
        bytes.subarray(0, users + 100),
        `changed.tar is truncated: it ends at byte ${users + 100}, inside database/public.users.copy.gz`,
      ],
      'the entries before another one': [
        bytes.subarray(0, start),
        new RegExp(
          `^changed\\.tar is truncated: it ends at byte ${start}, after database/public\\.`,
        ),
      ],
      'other bytes in place of an entry': [
        Buffer.from(bytes).fill('?', start, users),
        new RegExp(`^changed\\.tar is damaged at byte ${start}, after database/public\\.`),
      ],
      'all entries but one': [
        Buffer.concat([bytes.subarray(0, start), bytes.subarray(next)]),
        /^database\/public\.users\.copy\.gz is incomplete: database\/public\.users\.copy\.gz is missing/,
      ],
      'more after its end': [
        Buffer.concat([bytes, Buffer.from('more')]),
        /^changed\.tar is damaged at byte \d+, after manifest\.json: something follows the end/,
      ],
    };
    for (const [name, [content, message]] of Object.entries(cases)) {
      const fault = (await faultOf(content)) ?? '';
      if (typeof message === 'string') expect([name, fault]).toEqual([name, message]);
      else expect([name, fault]).toEqual([name, expect.stringMatching(message)]);
    }
    const [content, message] = cases['half of an entry'] ?? [];
    await writeFile(join(folder, 'changed.tar'), content ?? '');
    expect(await run(['backup', 'verify', join(folder, 'changed.tar')])).toEqual({
      ...{ code: 1, stdout: '' },
      stderr: `${message}\n`,
    });
    expect((await run(['backup', 'verify', folder])).stderr).toBe(
      `${folder} is a folder: name a backup.\n`,
    );
    expect((await run(['backup', 'verify', join(folder, 'missing.tar')])).stderr).toBe(
      `There is no backup ${join(folder, 'missing.tar')}.\n`,
    );
  });
});

test('millrace backup restore changes nothing if the backup is damaged', async () => {
  const database = await cloneDatabase(databaseUrl, 'template0');
  const data = join(folder, 'restored');
  const place = commandsOf({ DATABASE_URL: database.url, MILLRACE_DATA: data });
  const file = join(folder, 'millrace.tar');
  await writeFile(file, flipped(contentAt('manifest.json') + 12));
  expect((await place.run(['backup', 'restore', file])).code).toBe(1);
  expect(await readdir(data)).toEqual([]);
  await database.drop();
});

describe('millrace backup create', () => {
  /** Runs a shell command with `$MILLRACE`, the program. */
  const shell = (script: string) => {
    const program = fileURLToPath(new URL('../../../server/millrace.ts', import.meta.url));
    const env = { ...process.env, ...service, MILLRACE: `${process.execPath} ${program}` };
    return spawnSync('bash', ['-c', script], { env, encoding: 'utf8' });
  };

  test('names a full disk, and leaves no part of a backup', async () => {
    await mkdir(small);
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=32k', 'tmpfs', small]);
    isMounted = mounted.status === 0;
    if (isMounted) {
      const { code, stdout, stderr } = await run(['backup', 'create', '--to', small]);
      expect([code, stdout, stderr]).toEqual([
        1,
        '',
        `The backup was not written to ${small}: no space is left there.\n`,
      ]);
      expect(await readdir(small)).toEqual([]);
    }
    const { status, stderr } = shell('$MILLRACE backup create --to - > /dev/full');
    expect([status, stderr]).toEqual([
      1,
      'The backup was not written to standard output: no space is left there.\n',
    ]);
  });

  test('names a closed pipe', () => {
    const { status, stdout, stderr } = shell(
      'set -o pipefail; $MILLRACE backup create --to - | head -c 1 | wc -c',
    );
    expect([status, stdout, stderr]).toEqual([
      1,
      '1\n',
      'The backup was not written to standard output: the program that read it has ended.\n',
    ]);
  });

  test('names a target that is no folder, before it reads anything', async () => {
    await writeFile(join(folder, 'file'), '');
    for (const [name, reason] of [
      ['missing', 'the folder does not exist'],
      ['file', 'it is not a folder'],
    ] as const) {
      const target = join(folder, name);
      const { code, stderr } = await run(['backup', 'create', '--to', target]);
      expect([code, stderr]).toEqual([1, `The backup was not written to ${target}: ${reason}.\n`]);
    }
  });

  test('names an earlier backup that is missing or damaged', async () => {
    const since = join(folder, 'since.tar');
    const missing = await run(['backup', 'create', '--to', folder, '--since', since]);
    expect([missing.code, missing.stderr]).toEqual([1, `There is no backup ${since}.\n`]);
    await writeFile(since, bytes.subarray(0, -2_000));
    const damaged = await run(['backup', 'create', '--to', folder, '--since', since]);
    expect([damaged.code, damaged.stderr]).toEqual([
      1,
      expect.stringMatching(
        /^The earlier backup since\.tar cannot be used: since\.tar is truncated: /,
      ),
    ]);
    expect(await readdir(folder)).not.toContainEqual(expect.stringMatching(/partial|millrace-2/));
  });

  test('that is stopped or killed leaves nothing that looks like a backup, and the next one works', async () => {
    const target = join(folder, 'target');
    await mkdir(target);
    await writeFile(join(target, '.millrace-backup-old.partial'), '');
    await utimes(join(target, '.millrace-backup-old.partial'), 0, 0);
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      const { child, result } = start(['backup', 'create', '--to', target]);
      const partial = async () => (await readdir(target)).filter((name) => !name.includes('-old.'));
      await expect.poll(partial, { interval: 2 }).toHaveLength(1);
      child.kill(signal);
      await once(child, 'close');
      const { stderr } = await result;
      if (signal === 'SIGTERM') {
        expect(stderr).toBe(`The backup was not written to ${target}: the command was stopped.\n`);
        expect(await readdir(target)).toEqual([]);
      }
    }
    const left = await readdir(target);
    expect(left).toEqual([expect.stringMatching(/^\.millrace-backup-.*\.partial$/)]);
    expect((await run(['backup', 'verify', join(target, left[0] ?? '')])).code).toBe(1);
    expect((await run(['backup', 'create', '--to', target])).code).toBe(0);
    expect((await as(root).get('/projects')).status).toBe(200);
  });
});
