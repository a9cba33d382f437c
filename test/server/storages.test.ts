import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env, execPath, getuid } from 'node:process';
import { afterAll, describe, expect, test } from 'vitest';
import { fileSystemFaults } from '../../server/storages/file-system.ts';
import { pick, storagePlacement } from '../../server/storages/placement.ts';
import { shiftedClock } from '../support/shifted-clock.ts';

const folder = await mkdtemp(join(tmpdir(), 'millrace-storages-'));
afterAll(() => rm(folder, { recursive: true }));

describe('the storage of a new repository', () => {
  test('is chosen in proportion to the shares', () => {
    const names = ['small', 'none', 'large'];
    const shares = [1, 0, 3];
    const chosen = [0, 0.1, 0.24, 0.26, 0.5, 0.999].map((at) => pick(names, shares, at));
    expect(chosen).toEqual(['small', 'small', 'small', 'large', 'large', 'large']);
  });

  test('is the first if no storage has a share', () => {
    expect(pick(['first', 'second'], [0, 0], 0.7)).toBe('first');
  });

  test('is never one of weight 0, and is any other', async () => {
    const storages = new Map(['first', 'second', 'closed'].map((name) => [name, folder]));
    const { choose, names } = await storagePlacement(storages, new Map([['closed', 0]]));
    expect(names).toEqual(['first', 'second', 'closed']);
    const chosen = new Set(Array.from({ length: 200 }, () => choose(names)));
    expect(chosen).toEqual(new Set(['first', 'second']));
  });

  test('is not one whose folder cannot be read, unless there is no other', async () => {
    const storages = new Map([
      ['missing', join(folder, 'missing')],
      ['present', folder],
    ]);
    const { choose } = await storagePlacement(storages, new Map());
    const chosen = new Set(Array.from({ length: 50 }, () => choose(['missing', 'present'])));
    expect(chosen).toEqual(new Set(['present']));
    expect(choose(['missing'])).toBe('missing');
  });
});

describe('the check of a file system', () => {
  test('accepts the local one, and leaves nothing', async () => {
    expect(await fileSystemFaults(folder, { hasPrograms: true })).toEqual([]);
    expect(await readdir(folder)).toEqual([]);
  });

  test('names the clock, not the file system, if the times differ', () => {
    const data = join(folder, 'clock');
    const { status, stderr } = spawnSync(execPath, ['server/main.ts'], {
      env: { ...env, ...shiftedClock(2 * 3_600_000), MILLRACE_DATA: data, PORT: '0' },
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(
        /^The clock of this machine is 2 h ahead of that of the file system of .*\/hooks \(\S+Z, not \S+Z\)\. Set the clocks by NTP\.\n$/,
      ),
    ]);
  });

  test.runIf(getuid?.() === 0)('ends a start on an unsuitable one, which it names', async () => {
    const data = join(folder, 'noexec');
    await mkdir(data);
    // a namespace of its own, which ends with the server
    const script = 'mount -t tmpfs -o noexec none "$1" && shift && exec "$@"';
    const command = [execPath, 'server/main.ts'];
    const { status, stderr } = spawnSync(
      'unshare',
      ['--mount', 'sh', '-c', script, 'sh', data, ...command],
      { env: { ...env, MILLRACE_DATA: data, PORT: '0' }, encoding: 'utf8' },
    );
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr:
        `The file system of ${data}/hooks is unsuitable: it must be one that ` +
        'runs programs (it is mounted with noexec).\n',
    });
  });
});
