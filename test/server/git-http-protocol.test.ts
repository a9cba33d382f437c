import { readdir, rm, utimes } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import Koa from 'koa';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { RepositoryAddress } from '../../schema/ports/git/address.ts';
import { repositoryFolder } from '../../server/git/address.ts';
import { liveGitChildren } from '../../server/git/process/child.ts';
import { gitStore } from '../../server/git/store.ts';
import type { GitAccess, Push } from '../../server/git-http/access.ts';
import { gitHttp } from '../../server/git-http/git-http.ts';
import { installHooks } from '../../server/git-http/hooks.ts';
import { streamGate } from '../../server/http/stream-gate.ts';
import { commit, git, temporaryFolder, tryGit, workTree } from '../support/git.ts';

const missingBody = 'The project you were looking for could not be found.';
const root = await temporaryFolder();
const storages = new Map([['default', join(root, 'repositories')]]);
const store = gitStore({ storages });
const repositories = new Map<string, RepositoryAddress>();
const pushes: Push[] = [];
const settled: bigint[] = [];
/** The lines that git shows after a push. */
const lines: string[] = [];

/** Access rules with one user, ada, who can do anything except change `protected`. */
const access: GitAccess = {
  async authorize({ path, service, credentials }) {
    const isAda = credentials?.username === 'ada' && credentials.password === 'secret';
    if (credentials ? !isAda : service === 'git-receive-pack')
      return { outcome: 'unauthenticated', text: 'HTTP Basic: Access denied\n' };
    const repository = repositories.get(path);
    if (!repository) return { outcome: 'missing', text: missingBody };
    const userId = isAda ? 1 : null;
    return { outcome: 'granted', repository, isWiki: false, projectId: 7, userId };
  },
  async beforeReferencesMove(push) {
    pushes.push(push);
    if (push.changes.some(({ ref }) => ref.includes('broken'))) throw new Error('out of order');
    return push.changes.some(({ ref }) => ref.includes('protected'))
      ? { refusal: 'Not here.\nNor there.' }
      : { ledger: BigInt(pushes.length) };
  },
  async afterReferencesMoved(ledger) {
    settled.push(ledger);
    return lines;
  },
};

const app = new Koa();
app.silent = true;
const server = createServer();
let base = '';
let signedIn = '';
let repository: RepositoryAddress;
let folder: string;
let work: string;

beforeAll(async () => {
  const hooks = await installHooks(join(root, 'hooks'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  base = `http://127.0.0.1:${port}`;
  signedIn = `http://ada:secret@127.0.0.1:${port}`;
  app.use(
    gitHttp({
      access,
      reserveStream: streamGate(),
      storages,
      hooks,
      baseUrl: base,
      log: { error: () => {}, warn: () => {} },
    }),
  );
  server.on('request', app.callback());
});

beforeEach(async () => {
  repository = store.place('default');
  folder = repositoryFolder(storages, repository);
  await store.create(repository, async () => repositories.set('acme/tools/app', repository));
  work = await workTree({ 'a.txt': 'one' });
  await commit(work, { 'b.txt': 'two' }, 'Second');
  await git(work, 'remote', 'add', 'origin', `${signedIn}/acme/tools/app.git`);
  pushes.length = 0;
  settled.length = 0;
  lines.length = 0;
});

afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await store.close();
  await rm(root, { recursive: true, force: true });
});

describe('push', () => {
  test('moves references, passes them to the rules, and settles before the response', async () => {
    await git(work, 'push', '--quiet', 'origin', 'master');
    const after = await git(work, 'rev-parse', 'master');
    expect(await git(folder, 'rev-parse', 'master')).toBe(after);
    const before = '0'.repeat(40);
    const changes = [{ ref: 'refs/heads/master', before, after, isForced: false }];
    const push = { projectId: 7, userId: 1, repository, isWiki: false, changes, options: [] };
    expect(pushes).toEqual([push]);
    expect(settled).toEqual([1n]);
  });

  test('is a force push only if it drops commits', async () => {
    await git(work, 'push', '--quiet', 'origin', 'master', 'master~1:refs/heads/old');
    await commit(work, { 'c.txt': 'three' }, 'Third');
    await git(work, 'push', '--quiet', 'origin', 'master');
    await git(work, 'push', '--quiet', 'origin', 'master:old');
    await git(work, 'commit', '--quiet', '--amend', '--message=Other');
    await git(work, 'push', '--quiet', '--force', 'origin', 'master');
    await git(work, 'push', '--quiet', 'origin', ':old');
    const forced = pushes.flatMap(({ changes }) => changes.map(({ isForced }) => isForced));
    expect(forced).toEqual([false, false, false, false, true, false]);
    expect(settled).toHaveLength(5);
  });

  test('a merge and a hundred commits at once are not a force push', async () => {
    await git(work, 'push', '--quiet', 'origin', 'master');
    await git(work, 'checkout', '--quiet', '-b', 'side', 'HEAD~1');
    await commit(work, { 'd.txt': 'four' }, 'Aside');
    await git(work, 'merge', '--quiet', '--no-edit', 'master');
    await git(work, 'push', '--quiet', 'origin', 'side:master');
    for (let remaining = 40; remaining > 0; remaining -= 1)
      await git(work, 'commit', '--quiet', '--allow-empty', `--message=${remaining}`);
    await git(work, 'push', '--quiet', 'origin', 'side:master');
    expect(pushes.map(({ changes }) => changes[0]?.isForced)).toEqual([false, false, false]);
  });

  test('a rejection moves no reference, is printed by git and leaves no objects', async () => {
    const pushed = await tryGit(work, 'push', 'origin', 'master', 'master:protected');
    expect(pushed.code).toBe(1);
    expect(pushed.stderr).toMatch(/remote: Not here\..*\nremote: Nor there\./);
    expect(pushed.stderr).toMatch(
      /! \[remote rejected\] master -> master \(pre-receive hook declined\)/,
    );
    expect(await git(folder, 'for-each-ref')).toBe('');
    expect(await git(folder, 'count-objects')).toMatch(/^0 objects/);
    expect(settled).toEqual([]);
  });

  test('an error in the rules rejects the push', async () => {
    const pushed = await tryGit(work, 'push', 'origin', 'master:broken');
    expect(pushed.stderr).toContain('remote: The push was refused because of an internal error.');
    expect(await git(folder, 'for-each-ref')).toBe('');
  });

  test('without credentials gets 401 with a challenge', async () => {
    const pushed = await tryGit(work, 'push', `${base}/acme/tools/app.git`, 'master');
    expect(pushed.stderr).toMatch(/could not read Username/);
    expect(pushes).toEqual([]);
  });

  test('an aborted push leaves no objects', async () => {
    const command = `${'0'.repeat(40)} ${await git(work, 'rev-parse', 'HEAD')} refs/heads/x\0 report-status`;
    const line = (command.length + 4).toString(16).padStart(4, '0') + command;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(Buffer.from(`${line}0000PACK\0\0\0\x02\0\0\xff\xff`, 'latin1'));
        controller.error(new Error('cut off'));
      },
    });
    const request = fetch(`${base}/acme/tools/app.git/git-receive-pack`, {
      method: 'POST',
      duplex: 'half',
      headers: { ...asAda, 'Content-Type': 'application/x-git-receive-pack-request' },
      body,
    } as RequestInit);
    await expect(request).rejects.toThrow();
    await expect.poll(liveGitChildren).toBe(0);
    const leftovers = (await readdir(join(folder, 'objects'))).filter((name) =>
      /incoming/.test(name),
    );
    expect(leftovers).toEqual([]);
    expect(pushes).toEqual([]);
  });
});

const asAda = { Authorization: `Basic ${Buffer.from('ada:secret').toString('base64')}` };

describe('fetch', () => {
  beforeEach(() => git(work, 'push', '--quiet', 'origin', 'master'));

  test.each(['0', '1', '2'])('works in protocol version %s', async (version) => {
    const target = await temporaryFolder();
    const setting = `protocol.version=${version}`;
    await git(target, '-c', setting, 'clone', '--quiet', `${base}/acme/tools/app.git`, 'x');
    const head = await git(join(target, 'x'), 'rev-parse', 'HEAD');
    expect(head).toBe(await git(work, 'rev-parse', 'HEAD'));
    expect((await tryGit(join(target, 'x'), 'fsck', '--full')).code).toBe(0);
  });

  test.each(['0', '2'])('can be shallow in protocol version %s', async (version) => {
    const target = await temporaryFolder();
    const args = ['clone', '--quiet', '--depth=1', `${base}/acme/tools/app.git`, 'x'];
    await git(target, '-c', `protocol.version=${version}`, ...args);
    expect(await git(join(target, 'x'), 'rev-list', '--count', 'HEAD')).toBe('1');
  });

  test('can omit blobs and fetch them later', async () => {
    const target = await temporaryFolder();
    const args = ['clone', '--quiet', '--bare', '--filter=blob:none'];
    await git(target, ...args, `${base}/acme/tools/app.git`, 'x');
    const objects = ['rev-list', '--objects', '--all', '--missing=print'];
    expect(await git(join(target, 'x'), ...objects)).toMatch(/^\?/m);
    expect(await git(join(target, 'x'), 'show', 'master:a.txt')).toBe('one');
  });

  test('without .git is redirected', async () => {
    const target = await temporaryFolder();
    await git(target, 'clone', '--quiet', `${base}/acme/tools/app`, 'x');
    expect(await git(join(target, 'x'), 'rev-parse', 'HEAD')).toMatch(/^[0-9a-f]{40}$/);
  });

  test('accepts compressed requests, but no decompression bombs', async () => {
    const post = (body: Uint8Array<ArrayBuffer>, encoding = 'gzip') =>
      fetch(`${base}/acme/tools/app.git/git-upload-pack`, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/x-git-upload-pack-request',
          'Content-Encoding': encoding,
          'Git-Protocol': 'version=2',
        },
        body,
      });
    const listed = await post(new Uint8Array(gzipSync('0014command=ls-refs\n0000')));
    expect(listed.status).toBe(200);
    expect(await listed.text()).toContain('refs/heads/master');
    const bomb = new Uint8Array(gzipSync(Buffer.alloc(80 * 1024 * 1024)));
    expect((await post(bomb)).status).toBeOneOf([400, 413]);
    expect((await post(Buffer.from('no gzip'))).status).toBe(400);
    expect((await post(Buffer.from('0000'), 'br')).status).toBe(415);
    await expect.poll(liveGitChildren).toBe(0);
  });
});

describe('GET info/refs', () => {
  const send = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
    const response = await fetch(base + path, { method, headers, redirect: 'manual' });
    return { status: response.status, body: await response.text(), headers: response.headers };
  };
  const refs = '/acme/tools/app.git/info/refs?service=git-upload-pack';

  test('responds as git itself does', async () => {
    const response = await send(refs);
    expect(response.status).toBe(200);
    expect(response.body).toMatch(/^001e# service=git-upload-pack\n0000/);
    expect(response.headers.get('content-type')).toBe(
      'application/x-git-upload-pack-advertisement',
    );
    expect(response.headers.get('cache-control')).toBe('no-cache, max-age=0, must-revalidate');
    const second = await send(refs, { 'Git-Protocol': 'version=2' });
    expect(second.body).toMatch(/^000eversion 2\n/);
    expect((await send(refs, {}, 'HEAD')).status).toBe(200);
  });

  test('follows every change of references, by whichever program', async () => {
    await git(work, 'push', '--quiet', 'origin', 'master');
    let time = Date.now() - 60_000;
    /** Makes the last change old enough for its time stamp to be trusted, and the next one differ. */
    const age = async () => {
      time += 1000;
      const folders = await readdir(join(folder, 'refs'), { recursive: true });
      const names = [
        'HEAD',
        'config',
        'packed-refs',
        'refs',
        ...folders.map((name) => `refs/${name}`),
      ];
      const stamp = new Date(time);
      for (const name of names) await utimes(join(folder, name), stamp, stamp).catch(() => {});
    };
    const steps = [
      ['update-ref', 'refs/heads/new', 'master'],
      ['update-ref', 'refs/heads/deep/er', 'master'],
      ['update-ref', 'refs/heads/new', 'master~1'],
      ['symbolic-ref', 'HEAD', 'refs/heads/new'],
      ['pack-refs', '--all'],
      ['update-ref', '-d', 'refs/heads/deep/er'],
      ['config', 'uploadpack.hideRefs', 'refs/heads/new'],
      ['config', 'receive.hideRefs', 'refs/heads/new'],
    ];
    for (const service of ['upload-pack', 'receive-pack']) {
      const path = `/acme/tools/app.git/info/refs?service=git-${service}`;
      const ofGit = async () => {
        const output = await git(folder, service, '--http-backend-info-refs', '.');
        return output.split('\n').map((line) => /[0-9a-f]{40} [^\0]+/.exec(line)?.[0]);
      };
      for (const step of [['version'], ...steps]) {
        await git(folder, ...step);
        await age();
        const expected = await ofGit();
        for (const isRepeated of [false, true]) {
          const { body, headers } = await send(path, asAda);
          const lines = body.split('\n').slice(1);
          const refs = lines.map((line) => /[0-9a-f]{40} [^\0]+/.exec(line)?.[0]);
          expect(refs, step.join(' ')).toEqual(expected);
          // git's output is streamed, a kept one has a length
          expect(headers.has('content-length'), step.join(' ')).toBe(isRepeated);
        }
      }
      await git(folder, 'config', '--remove-section', 'uploadpack').catch(() => {});
      await git(folder, 'config', '--remove-section', 'receive').catch(() => {});
    }
  });

  test('challenges a caller without access', async () => {
    for (const Authorization of ['Basic !', 'Basic', 'Bearer x', 'Basic eA==', 'Basic YWRhOgA6']) {
      const response = await send(refs, { Authorization });
      expect([response.status, response.body]).toEqual([401, 'HTTP Basic: Access denied\n']);
      expect(response.headers.get('www-authenticate')).toBe('Basic realm="Millrace"');
      expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    }
  });

  test.each([
    '/acme/%2e%2e/app.git',
    '/acme%2F..%2Fapp.git',
    '/acme/a%00.git',
    '/acme/a%0ab.git',
    '/acme/x.git/app.git',
    '/acme/-app.git',
    '/acme/%zz.git',
    '/app.git',
    '/acme/tools/app.wiki.git',
    '/acme/none.git',
  ])('%s is 404', async (path) => {
    const response = await send(`${path}/info/refs?service=git-upload-pack`, asAda);
    expect([response.status, response.body]).toEqual([404, `${missingBody}\n`]);
  });

  test('is redirected only without .git', async () => {
    const response = await send('/acme/tools/app/info/refs?service=git-upload-pack');
    expect([response.status, response.headers.get('location')]).toEqual([301, base + refs]);
    const other = '/acme/tools/app/info/refs?service=git-upload-pack&x=1';
    expect((await send(other)).status).toBe(404);
    expect((await send('/acme/tools/app/git-upload-pack', {}, 'POST')).status).toBe(404);
  });

  test('supports only the smart protocol', async () => {
    expect((await send('/acme/tools/app.git/info/refs')).status).toBe(403);
    expect((await send(`${refs}x`)).status).toBe(403);
    expect((await send(refs, {}, 'PUT')).status).toBe(405);
    expect((await send('/acme/tools/app.git/git-upload-pack', {}, 'GET')).status).toBe(405);
    expect((await send('/acme/tools/app.git/git-upload-pack', {}, 'POST')).status).toBe(415);
  });

  test('a missing repository is a server error', async () => {
    repositories.set('acme/lost', store.place('default'));
    for (const version of ['0', '2']) {
      const path = '/acme/lost.git/info/refs?service=git-upload-pack';
      const response = await send(path, { 'Git-Protocol': `version=${version}` });
      expect([response.status, response.body]).toEqual([
        503,
        'The repository is not available. Try again in 60 seconds.\n',
      ]);
    }
  });
});
