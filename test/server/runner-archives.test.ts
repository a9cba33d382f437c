import { createWriteStream } from 'node:fs';
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import yazl from 'yazl';
import { pack } from '../../server/runner/pack.ts';
import { selectFiles } from '../../server/runner/selection.ts';
import { unpack } from '../../server/runner/unpack.ts';

const folder = await mkdtemp(join(tmpdir(), 'millrace-runner-archives-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
const { signal } = new AbortController();

let count = 0;
let source = '';
let target = '';
let archive = '';

beforeEach(async () => {
  count += 1;
  const place = join(folder, String(count));
  [source, target, archive] = [join(place, 'source'), join(place, 'target'), join(place, 'a.zip')];
  for (const path of [source, target]) await mkdir(path, { recursive: true });
});

const write = async (path: string, content = path) => {
  await mkdir(join(source, path, '..'), { recursive: true });
  await writeFile(join(source, path), content);
};

const selected = (...paths: string[]) =>
  selectFiles(
    { paths, isUntracked: false },
    { source, variables: new Map([['NAME', 'out']]), environment: {}, signal },
  );

describe('what is selected', () => {
  test('includes matching paths recursively, without following links', async () => {
    for (const path of ['out/a', 'out/.b/c', 'other/d', '.git/config', 'e.log', 'x/y/f.log']) {
      await write(path);
    }
    await mkdir(join(source, 'out/empty'));
    await symlink('/etc', join(source, 'out/link'));
    await symlink('nowhere', join(source, 'dangling.log'));
    expect(await selected('$NAME/', '**/*.log', join(source, 'other'), '.git')).toEqual({
      paths: [
        'dangling.log',
        'e.log',
        'other/d',
        'out/.b/c',
        'out/a',
        'out/empty/',
        'out/link',
        'x/y/f.log',
      ],
      complaints: ['.git: no matching files'],
    });
  });

  test('is never outside of the folder', async () => {
    expect(await selected('../x', '/etc/passwd', 'a/../../b', '')).toEqual({
      paths: [],
      complaints: ['../x', '/etc/passwd', 'a/../../b', ''].map(
        (path) => `${path}: outside of the project folder`,
      ),
    });
  });

  test('reports unreadable files and names that an archive cannot store', async () => {
    for (const path of ['out/a', 'out/line\nfeed', 'out/back\\slash', 'C:/x']) await write(path);
    const folder = Buffer.concat([Buffer.from(`${source}/out/`), Buffer.of(0xff)]);
    await mkdir(folder);
    await writeFile(Buffer.concat([folder, Buffer.from('/a')]), 'a');
    expect(await selected('out', 'C:', 'x'.repeat(5000))).toEqual({
      paths: ['out/a', 'out/line\nfeed'],
      complaints: expect.arrayContaining([
        'out/back\\slash: no name for an archive',
        'out/\uFFFD: no name for an archive',
        'C:: no name for an archive',
        expect.stringMatching(/^x+: outside of the project folder$/),
      ]),
    });
  });

  test('includes everything except .git for the folder itself', async () => {
    for (const path of ['a', 'b/c', '.git/config']) await write(path);
    expect((await selected('.')).paths).toEqual(['a', 'b/c']);
  });
});

describe('an archive', () => {
  test('restores files, links, empty folders and permissions', async () => {
    await write('bin/tool', '#!/bin/sh');
    await chmod(join(source, 'bin/tool'), 0o755);
    await write('data', 'x'.repeat(100_000));
    await symlink('bin/tool', join(source, 'link'));
    await mkdir(join(source, 'empty'));
    const { paths } = await selected('.');
    expect(await pack(source, paths, archive, signal)).toBe(4);
    // existing files and links are overwritten
    await writeFile(join(folder, 'elsewhere'), 'untouched');
    await symlink(join(folder, 'elsewhere'), join(target, 'data'));
    expect(await unpack(archive, target, signal)).toBe(4);
    expect((await lstat(join(target, 'bin/tool'))).mode & 0o777).toBe(0o755);
    expect(await readlink(join(target, 'link'))).toBe('bin/tool');
    expect((await lstat(join(target, 'data'))).isFile()).toBe(true);
    expect(await readFile(join(target, 'data'), 'utf8')).toBe('x'.repeat(100_000));
    expect(await readdir(join(target, 'empty'))).toEqual([]);
    expect(await readFile(join(folder, 'elsewhere'), 'utf8')).toBe('untouched');
    const { mtime } = await lstat(join(source, 'data'));
    const apart = (await lstat(join(target, 'data'))).mtime.getTime() - mtime.getTime();
    expect(Math.abs(apart)).toBeLessThan(2_000);
  });

  const createArchive = async (fill: (zip: yazl.ZipFile) => void, from = '', to = '') => {
    const zip = new yazl.ZipFile();
    fill(zip);
    zip.end();
    await pipeline(zip.outputStream as Readable, createWriteStream(archive));
    if (from === '') return;
    const bytes = (await readFile(archive)).toString('latin1').replaceAll(from, to);
    await writeFile(archive, bytes, 'latin1');
  };
  const text = (content: string) => Buffer.from(content);

  test.each([
    ['above the folder', 'aa/file', '../file'],
    ['above it in the middle', 'a/bb/../x'.replace('..', 'cc'), 'a/../../x'],
    ['from the root', 'aetc/file', '/etc/file'],
    ['into the repository', 'agit/config', '.git/config'],
  ])('with a path %s is rejected', async (_, from, to) => {
    await createArchive((zip) => zip.addBuffer(text('x'), from), from, to);
    await expect(unpack(archive, target, signal)).rejects.toThrow();
    expect(await readdir(target)).toEqual([]);
  });

  test('that would write through a link is rejected', async () => {
    const outside = join(folder, 'outside');
    await mkdir(outside, { recursive: true });
    await createArchive((zip) => {
      zip.addBuffer(text(outside), 'link', { mode: 0o120777 });
      zip.addBuffer(text('x'), 'link/file');
    });
    await expect(unpack(archive, target, signal)).rejects.toThrow('link/file');
    expect(await readdir(outside)).toEqual([]);
  });

  test('with a device or a pipe is rejected', async () => {
    await createArchive((zip) => zip.addBuffer(text(''), 'pipe', { mode: 0o010644 }));
    await expect(unpack(archive, target, signal)).rejects.toThrow('pipe');
  });

  test('that is invalid or truncated is rejected', async () => {
    await writeFile(archive, 'PK no zip');
    await expect(unpack(archive, target, signal)).rejects.toThrow();
    await createArchive((zip) => zip.addBuffer(text('x'.repeat(1000)), 'file'));
    await writeFile(archive, (await readFile(archive)).subarray(20));
    await expect(unpack(archive, target, signal)).rejects.toThrow();
  });
});
