import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { repositoryFolder } from '../../server/git/address.ts';
import { hasGitProcess } from '../../server/git/process/active-writers.ts';
import { gitEnvironment } from '../../server/git/process/environment.ts';
import { hasProgram } from '../../server/git/process/program.ts';
import { commit, git, workTree } from '../support/git.ts';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const run = promisify(execFile);
const { as, seed, root, remote, url, db, dataFolder } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const carl = await seed.user('carl');
const eve = await seed.user('eve');

await seed.group('acme', {}, { visibility: 'public' });
const { id: app } = await seed.project('acme/app', {}, { visibility: 'public' });
const { id: closed } = await seed.project('ada/closed', { reporter: bob, guest: carl });
const { id: empty } = await seed.project('ada/empty');
const { id: large } = await seed.project('ada/large');
await seed.push('ada/closed', { 'secret.txt': 'secret' });
await seed.push('ada/large', { 'noise.bin': randomBytes(32 * 1024 * 1024) });
const archive = `/projects/${app}/repository/archive`;

const folder = await workTree({ 'README.md': '# App\n', 'a/b.txt': 'b', 'ä ö.txt': 'umlauts' });
await symlink('README.md', join(folder, 'link'));
await git(folder, 'update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},vendor`);
await git(folder, 'add', 'link');
await git(folder, 'commit', '--quiet', '--message=All kinds of entries');
const tip = await git(folder, 'rev-parse', 'HEAD');
await git(folder, 'tag', '-a', 'v1.0', '-m', 'annotated');
await git(folder, 'checkout', '--quiet', '-b', 'feature/x');
await git(folder, 'rm', '--quiet', '--cached', 'vendor');
const branch = await commit(folder, { 'only-here.txt': 'here' }, 'On a branch');
await git(folder, 'push', '--quiet', remote('acme/app', root), '--all');
await git(folder, 'push', '--quiet', remote('acme/app', root), '--tags');
const scratch = await mkdtemp(join(tmpdir(), 'millrace-archive-'));
afterAll(() => Promise.all([folder, scratch].map((path) => rm(path, { recursive: true }))));

/** The folder of a project's repository. */
async function repositoryOf(id: number): Promise<string> {
  const address = await db.project.findUniqueOrThrow({ where: { id } });
  return repositoryFolder(new Map([['default', join(dataFolder, 'repositories')]]), address);
}

/** Whether git works on a project's repository. */
const isRead = async (id: number) => hasGitProcess(await repositoryOf(id));

/** The headers and the entry names; `tar` recognizes the format by the file name. */
async function unpack(response: Response) {
  const disposition = response.headers.get('Content-Disposition') ?? '';
  const name = /filename="([^"]+)"/.exec(disposition)?.[1] ?? 'unnamed';
  const content = Buffer.from(await response.arrayBuffer());
  return {
    status: response.status,
    type: response.headers.get('Content-Type'),
    disposition,
    names: name.endsWith('.zip') ? readZipNames(content) : await readTarNames(name, content),
  };
}

async function readTarNames(name: string, content: Buffer): Promise<readonly string[]> {
  const path = join(scratch, name);
  await writeFile(path, content);
  const { stdout } = await run('tar', ['--quoting-style=literal', '-tf', path]);
  return stdout.trimEnd().split('\n');
}

/** The entry names in the central directory of a zip file. */
function readZipNames(content: Buffer): readonly string[] {
  const names: string[] = [];
  for (let at = content.indexOf('PK\x01\x02'); at >= 0; at = content.indexOf('PK\x01\x02', at)) {
    const length = content.readUInt16LE(at + 28);
    names.push(content.toString('utf8', at + 46, at + 46 + length));
    at += 46 + length;
  }
  return names;
}

const entries = ['', 'README.md', 'a/', 'a/b.txt', 'link', 'vendor/', 'ä ö.txt'];
const expectedArchive = (name: string, extension: string, names: readonly string[] = entries) => ({
  status: 200,
  type: 'application/octet-stream',
  disposition: `attachment; filename="${name}.${extension}"`,
  names: names.map((entry) => `${name}/${entry}`),
});

describe('GET /projects/:id/repository/archive', () => {
  test('the default branch is downloaded as tar.gz', async () => {
    expect(await unpack(await as(null).fetch(archive))).toEqual(
      expectedArchive(`app-master-${tip}`, 'tar.gz'),
    );
  });

  test.each([
    ['.zip', 'zip'],
    ['?format=zip', 'zip'],
    ['.tar', 'tar'],
    ['.tar.gz', 'tar.gz'],
    ['.tgz', 'tar.gz'],
    ['.gz', 'tar.gz'],
    ['?format=tar', 'tar'],
    ['?format=tgz', 'tar.gz'],
    ['?format=', 'tar.gz'],
    ['%2Etar%2Egz', 'tar.gz'],
    ['.tar?format=zip', 'tar'],
  ])('archive%s is a %s file', async (suffix, extension) => {
    expect(await unpack(await as(eve).fetch(`${archive}${suffix}`))).toEqual(
      expectedArchive(`app-master-${tip}`, extension),
    );
  });

  test.each(['.tar.bz2', '.tbz', '.tbz2', '.tb2', '.bz2', '?format=tar.bz2'])(
    'archive%s requires bzip2 on the server',
    async (extension) => {
      const response = await as(eve).fetch(`${archive}${extension}`);
      if (await hasProgram('bzip2', gitEnvironment.PATH ?? '')) {
        expect(await unpack(response)).toEqual(expectedArchive(`app-master-${tip}`, 'tar.bz2'));
        return;
      }
      const error = `The requested format '${extension.slice(1)}' is not supported.`;
      expect({ status: response.status, body: await response.json() }).toEqual({
        status: 406,
        body: { error: error.replace('format=', '') },
      });
    },
  );

  test.each([
    ['feature/x', `app-feature-x-${branch}`],
    ['refs/heads/feature/x', `app-refs-heads-feature-x-${branch}`],
    [branch, `app-${branch}-${branch}`],
    [branch.slice(0, 9), `app-${branch.slice(0, 9)}-${branch}`],
  ])('sha=%s selects a commit', async (sha, name) => {
    const names = ['', 'README.md', 'a/', 'a/b.txt', 'link', 'only-here.txt', 'ä ö.txt'];
    expect(
      await unpack(await as(null).fetch(`${archive}.tar?sha=${encodeURIComponent(sha)}`)),
    ).toEqual(expectedArchive(name, 'tar', names));
  });

  test('a tag selects a commit', async () => {
    expect(await unpack(await as(null).fetch(`${archive}?sha=v1.0`))).toEqual(
      expectedArchive(`app-v1.0-${tip}`, 'tar.gz'),
    );
  });

  test('the content equals the output of git archive', async () => {
    const response = await as(null).fetch(`${archive}.tar?sha=v1.0`);
    const prefix = `--prefix=app-v1.0-${tip}/`;
    await git(folder, 'archive', prefix, `--output=${join(scratch, 'own.tar')}`, tip);
    const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
    expect(digest(Buffer.from(await response.arrayBuffer()))).toBe(
      digest(await readFile(join(scratch, 'own.tar'))),
    );
  });

  test.each([
    'nothing',
    '--output=/tmp/x',
    'a..b',
    'v1.0:a',
    '../x',
    'a b',
    'HEAD^',
    '1'.repeat(40),
  ])('sha=%s gives 404', async (sha) => {
    expect(await as(null).get(`${archive}?sha=${encodeURIComponent(sha)}`)).toEqual(
      refused.missing('File'),
    );
  });

  test('file names that differ only in case are different files', async () => {
    await seed.project('ada/cases');
    await seed.push('ada/cases', {
      '.gitattributes': 'secret.txt export-ignore\n',
      'SECRET.TXT': 'kept',
      'secret.txt': 'left out',
    });
    const { names } = await unpack(
      await as(ada).fetch('/projects/ada%2Fcases/repository/archive.tar'),
    );
    expect(names.map((name) => name.split('/').at(-1))).toEqual([
      '',
      '.gitattributes',
      'SECRET.TXT',
    ]);
  });

  test('an empty repository gives 404', async () => {
    expect(await as(ada).get(`/projects/${empty}/repository/archive`)).toEqual(
      refused.missing('File'),
    );
  });

  test.each(['xml', 'tar.xz', 'constructor', '-o'])('the format %s is rejected', async (format) => {
    expect(await as(null).get(`${archive}?format=${format}`)).toEqual({
      status: 406,
      body: { error: `The requested format '${format}' is not supported.` },
    });
  });

  test('an unknown suffix gives 404', async () => {
    expect(await as(null).get(`${archive}.xml`)).toEqual(refused.route);
  });

  test('rejects a name with NUL', async () => {
    expect(await as(null).get(`${archive}?sha=a%00`)).toEqual(refused.parameter('sha is invalid'));
  });

  test('a reporter of a private project downloads its archive', async () => {
    const { status } = await as(bob).fetch(`/projects/${closed}/repository/archive`);
    expect(status).toBe(200);
  });

  test('other users are refused before the parameters are checked', async () => {
    for (const query of ['', '?sha=a%00', '.zip?format=xml']) {
      const path = `/projects/${closed}/repository/archive${query}`;
      expect(await as(carl).get(path)).toEqual(refused.forbidden);
      expect(await as(eve).get(path)).toEqual(refused.missing('Project'));
      expect(await as(null).get(path)).toEqual(refused.missing('Project'));
    }
  });

  test('HEAD returns the headers without a body', async () => {
    const response = await as(null).fetch(archive, { method: 'HEAD' });
    expect({
      status: response.status,
      disposition: response.headers.get('Content-Disposition'),
    }).toEqual({ status: 200, disposition: `attachment; filename="app-master-${tip}.tar.gz"` });
    await expect.poll(() => isRead(app)).toBe(false);
  });

  test('the git process ends when the caller disconnects', async () => {
    const request = get(`${url}/api/v4/projects/${large}/repository/archive.tar`, {
      headers: { 'Private-Token': ada.token },
    });
    await new Promise<void>((resolve, reject) => {
      request.on('error', reject);
      request.on('response', (response) =>
        response.once('data', () => {
          response.pause();
          resolve();
        }),
      );
    });
    expect(await isRead(large)).toBe(true);
    request.on('error', () => undefined);
    request.destroy();
    await expect.poll(() => isRead(large)).toBe(false);
  });
});

describe('a damaged repository', () => {
  const objectsOf = async (id: number) => join(await repositoryOf(id), 'objects');

  test('an archive that fails midway ends with a connection error', async () => {
    const { id } = await seed.project('ada/broken');
    await seed.push('ada/broken', {
      'a.bin': randomBytes(4 * 1024 * 1024),
      'b.txt': 'this one goes missing',
    });
    const objects = await objectsOf(id);
    await deleteObject(objects, await idOf(id, 'b.txt'));
    const response = await as(ada).fetch(`/projects/${id}/repository/archive.tar`);
    expect(response.status).toBe(200);
    await expect(response.arrayBuffer()).rejects.toThrow();
  });

  test('an archive that cannot start gives 503', async () => {
    const { id } = await seed.project('ada/damaged');
    await seed.push('ada/damaged', { 'a.txt': 'a', 'folder/b.txt': 'b' });
    await deleteObject(await objectsOf(id), await idOf(id, 'folder', 'tree'));
    const broken = { status: 503, body: { message: '503 The repository is not available' } };
    const repository = `/projects/${id}/repository`;
    expect(await as(ada).get(`${repository}/tree?recursive=true`)).toEqual(broken);
    expect(await as(ada).get(`${repository}/contributors`)).toEqual(broken);
    expect((await as(ada).get(`${repository}/tree`)).status).toBe(200);
  });

  const idOf = async (id: number, path: string, type = 'blob') => {
    const { body } = await as(ada).get(`/projects/${id}/repository/tree`);
    const match = (body as { id: string; path: string; type: string }[]).find(
      (entry) => entry.path === path && entry.type === type,
    );
    if (!match) throw new Error(`there is no ${path}`);
    return match.id;
  };

  /** Deletes one object: small pushes are stored as loose objects. */
  const deleteObject = async (objects: string, id: string) => {
    const [loose, packs] = [join(objects, id.slice(0, 2)), join(objects, 'pack')];
    const names = await readdir(loose).catch(() => [] as string[]);
    if (names.includes(id.slice(2))) return rm(join(loose, id.slice(2)));
    for (const name of await readdir(packs)) {
      if (name.endsWith('.pack')) await truncate(join(packs, name), 1000);
    }
  };
});
