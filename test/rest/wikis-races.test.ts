import { mkdir, readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sweepWikis } from '../../server/git/wikis/wiki-creation.ts';
import { commit, git, tryGit, workTree } from '../support/git.ts';
import { startAnother } from '../support/server-here.ts';
import { world } from '../support/world.ts';

const { as, seed, root, remote, db, dataFolder, databaseUrl } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const users = [ada, bob, root];

const range = (count: number) => Array.from({ length: count }, (_, n) => n);
const clientFor = (n: number) => as(users[n % users.length] ?? ada);

async function createWiki(path: string) {
  const { id } = await seed.project(`ada/${path}`, { developer: bob });
  const { diskPath } = await db.project.findUniqueOrThrow({ where: { id } });
  const repositoryPath = join(dataFolder, 'repositories', `${diskPath}.wiki.git`);
  const log = (...args: string[]) => git(repositoryPath, 'log', '--format=%s', ...args);
  return { id, bare: repositoryPath, log, pages: `/projects/${id}/wikis` };
}

const fetchContents = async (pages: string) =>
  Object.fromEntries(
    (
      (await as(ada).get(`${pages}?with_content=1`)).body as { slug: string; content: string }[]
    ).map(({ slug, content }) => [slug, content]),
  );

describe('concurrent edits', () => {
  test('of different pages are all stored, also the first of a wiki', async () => {
    const { pages, bare: repositoryPath, log } = await createWiki('many');
    const responses = await Promise.all(
      range(40).map((n) =>
        clientFor(n).post(pages, { title: `${n % 3}/page ${n}`, content: `of ${n}` }),
      ),
    );
    expect(responses.map(({ status }) => status)).toEqual(range(40).map(() => 201));
    expect(await fetchContents(pages)).toEqual(
      Object.fromEntries(range(40).map((n) => [`${n % 3}/page-${n}`, `of ${n}`])),
    );
    expect((await log()).split('\n')).toHaveLength(40);
    expect(await git(repositoryPath, 'fsck', '--strict', '--no-dangling')).toBe('');
  });

  test('of the same new page create it once', async () => {
    const { pages, log } = await createWiki('once');
    const responses = await Promise.all(
      range(12).map((n) => clientFor(n).post(pages, { title: 'it', content: `of ${n}` })),
    );
    const statuses = responses.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([201, ...range(11).map(() => 400)]);
    const created = responses.find(({ status }) => status === 201)?.body;
    expect((await as(ada).get(`${pages}/it`)).body).toEqual(created);
    expect((await log()).split('\n')).toHaveLength(1);
  });

  test('of one page are all in its history, and the last one is the content', async () => {
    const { pages, log, bare: repositoryPath } = await createWiki('same');
    await as(ada).post(pages, { title: 'it', content: 'first' });
    const responses = await Promise.all(
      range(20).map((n) => clientFor(n).put(`${pages}/it`, { content: `of ${n}` })),
    );
    expect(responses.map(({ status }) => status)).toEqual(range(20).map(() => 200));
    expect((await log()).split('\n')).toHaveLength(21);
    const { it } = await fetchContents(pages);
    expect(await git(repositoryPath, 'show', 'master:it.md')).toBe(it);
    const shas = (await git(repositoryPath, 'log', '--format=%H')).split('\n').slice(0, 20);
    const seen = await Promise.all(shas.map((sha) => git(repositoryPath, 'show', `${sha}:it.md`)));
    expect(seen.toSorted()).toEqual(
      range(20)
        .map((n) => `of ${n}`)
        .toSorted(),
    );
  });

  test('and a removal: later edits find no page', async () => {
    const { pages } = await createWiki('removed');
    await as(ada).post(pages, { title: 'it', content: 'first' });
    const responses = await Promise.all([
      ...range(4).map((n) => as(bob).put(`${pages}/it`, { content: `of ${n}` })),
      as(ada).delete(`${pages}/it`),
      ...range(4).map((n) => as(bob).put(`${pages}/it`, { title: `other ${n}` })),
    ]);
    for (const { status } of responses) expect([200, 204, 404]).toContain(status);
    expect((await as(bob).put(`${pages}/it`, { content: 'late' })).status).toBe(404);
  });

  test('and renames to one name: one succeeds', async () => {
    const { pages } = await createWiki('renamed');
    for (const n of range(5)) await as(ada).post(pages, { title: `p${n}`, content: `of ${n}` });
    const responses = await Promise.all(
      range(5).map((n) => clientFor(n).put(`${pages}/p${n}`, { title: 'target' })),
    );
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400, 400]);
    const after = await fetchContents(pages);
    expect(Object.keys(after)).toHaveLength(5);
    expect(Object.values(after).toSorted()).toEqual(range(5).map((n) => `of ${n}`));
  });

  test('and pushes: no change is lost', async () => {
    const { pages, log } = await createWiki('pushed');
    const address = remote('ada/pushed.wiki', bob);
    const folder = await workTree({ 'pushed.md': 'pushed' });
    await git(folder, 'push', '--quiet', address, 'master');
    const pushing = async () => {
      for (const n of range(5)) {
        await commit(folder, { [`pushed-${n}.md`]: `pushed ${n}` }, `Pushed ${n}`);
        for (;;) {
          await git(folder, 'pull', '--quiet', '--rebase', address, 'master');
          if ((await tryGit(folder, 'push', '--quiet', address, 'master')).code === 0) break;
        }
      }
    };
    const edit = async () => {
      for (const n of range(25)) {
        const title = `edited ${n}`;
        expect((await clientFor(n).post(pages, { title, content: `e ${n}` })).status).toBe(201);
      }
    };
    await Promise.all([pushing(), edit()]);
    expect(Object.keys(await fetchContents(pages)).toSorted()).toEqual(
      [
        'pushed',
        ...range(5).map((n) => `pushed-${n}`),
        ...range(25).map((n) => `edited-${n}`),
      ].toSorted(),
    );
    expect((await log('--merges')).trim()).toBe('');
  });

  test('and the removal of the project leave nothing on the disk', async () => {
    const { id, bare: repositoryPath, pages } = await createWiki('deleted');
    const edits = range(20).map((n) => as(bob).post(pages, { title: `p ${n}`, content: 'x' }));
    const removal = as(ada).delete(`/projects/${id}`);
    const responses = await Promise.all(edits);
    expect((await removal).status).toBe(202);
    for (const { status } of responses) expect([201, 404]).toContain(status);
    await expect.poll(() => db.project.count({ where: { id } })).toBe(0);
    await expect(readdir(repositoryPath)).rejects.toThrow('ENOENT');
  });
});

test('an edit killed before its notification notifies the hook once at the next start', async () => {
  const { id, bare: repositoryPath, pages } = await createWiki('cut-off');
  for (const n of range(3)) {
    await as(bob).post(pages, { title: `dir/page ${n}`, content: `of ${n}` });
  }
  const hook = { projectId: id, url: 'http://127.0.0.1:1/', onWikiPage: true };
  await db.webHook.create({ data: hook });
  await as(bob).post(pages, { title: 'notified', content: 'at once' });
  expect(await db.push.count({ where: { projectId: id } })).toBe(0);

  const tree = await git(repositoryPath, 'rev-parse', 'master^{tree}');
  const unreachable = await git(
    repositoryPath,
    'commit-tree',
    '-m',
    'Unreachable',
    '-p',
    'master',
    tree,
  );
  const createLedgerEntry = async (commit: string, path: string, age = 0) => {
    const blob = await git(repositoryPath, 'rev-parse', 'master:dir/page-1.md');
    const edit = { commit, action: 'update', path, id: blob, message: `bob updated ${path}` };
    const createdAt = new Date(Date.now() - age);
    const row = { projectId: id, userId: bob.id, createdAt, changes: [{ wikiEdit: edit }] };
    return (await db.push.create({ data: row })).id;
  };
  const reachable = await git(repositoryPath, 'rev-parse', 'master~2');
  await createLedgerEntry(reachable, 'dir/page-1.md');
  await createLedgerEntry('f'.repeat(40), 'lost.md', 7_200_000);
  const open = await createLedgerEntry(unreachable, 'unreachable.md');

  const next = await startAnother({ MILLRACE_DATA: dataFolder, DATABASE_URL: databaseUrl });
  await next.stop();
  const sent = await db.hookDelivery.findMany({ orderBy: { id: 'asc' } });
  expect(sent.map(({ payload }) => payload)).toMatchObject([
    { object_attributes: { slug: 'notified', content: 'at once', action: 'create' } },
    {
      user: { username: 'bob' },
      project: { id },
      object_attributes: { slug: 'dir/page-1', content: 'of 1', action: 'update' },
    },
  ]);
  // another process may be about to move the branch
  const remaining = await db.push.findMany({ where: { projectId: id }, select: { id: true } });
  expect(remaining).toEqual([{ id: open }]);
});

test('a repository left half-created by a kill is removed at the next start', async () => {
  const storage = join(dataFolder, 'repositories');
  const making = join(storage, '+making');
  await mkdir(join(making, 'old', 'refs'), { recursive: true });
  await mkdir(join(making, 'new', 'refs'), { recursive: true });
  await utimes(join(making, 'old'), 1, 1);
  await sweepWikis(new Map([['default', storage]]), new Date(Date.now() - 60_000));
  expect(await readdir(making)).toEqual(['new']);
});
