import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { commit, git, workTree } from '../../support/git.ts';
import { graphqlClientOf } from '../../support/graphql.ts';
import type { TestUser } from '../../support/seed.ts';
import { world } from '../../support/world.ts';

const { as, seed, url, root, remote } = await world();
const send = graphqlClientOf(url);
const ada = await seed.user('ada', { isEmailVerified: true });
const bob = await seed.user('bob');
const guest = await seed.user('guest');
await seed.group('acme', {}, { visibility: 'public' });
const { id: open } = await seed.project('acme/open', { master: ada }, { visibility: 'public' });
const { id: closed } = await seed.project('ada/closed', { guest });
await seed.project('acme/empty', {}, { visibility: 'public' });
await as(ada).put(`/projects/${closed}`, { wiki_enabled: false });

const folder = await workTree({ 'README.md': '# One\n', 'src/a.ts': 'a\n', 'logo.bin': '\0' });
afterAll(() => rm(folder, { recursive: true }));
const first = await git(folder, 'rev-parse', 'HEAD');
const second = await commit(folder, { 'src/b.ts': 'b\n' }, 'Add b');
await git(folder, 'checkout', '--quiet', '-b', 'feature/x', first);
await writeFile(join(folder, 'src/a.ts'), 'a\na\n');
const aside = await commit(folder, { 'docs/x.md': 'x\n' }, 'Change a');
await git(folder, 'checkout', '--quiet', 'master');
await git(folder, 'merge', '--quiet', '--no-ff', '-m', 'Merge x', 'feature/x');
const merge = await git(folder, 'rev-parse', 'HEAD');
await git(folder, 'tag', '--annotate', 'v1', '--message=The first', second);
await git(folder, 'tag', 'v2', merge);
for (const path of ['acme/open', 'ada/closed']) {
  await git(folder, 'push', '--quiet', remote(path, root), 'master', 'feature/x', '--tags');
}
for (const [tag, description] of [
  ['v1', 'Notes 1'],
  ['v2', 'Notes 2'],
]) {
  await as(ada).post(`/projects/${open}/repository/tags/${tag}/release`, { description });
}
await as(ada).post(`/projects/${open}/repository/commits/${merge}/comments`, { note: 'Good' });
await as(ada).post(`/projects/${open}/protected_branches`, { name: 'feature/*' });
await as(ada).post(`/projects/${open}/wikis`, { title: 'Home', content: 'Welcome' });
await as(ada).post(`/projects/${open}/wikis`, { title: 'How to', content: 'So' });

/** What is selected of a project. */
const projectAs = async (user: TestUser | null, fullPath: string, selection: string) => {
  const { body } = await send(user, `{ project(id: "${fullPath}") { ${selection} } }`);
  return (body.data?.project ?? body) as unknown;
};

/** What is selected of a repository. */
const codeOf = async (selection: string) =>
  ((await projectAs(null, 'acme/open', `repository { ${selection} }`)) as { repository: unknown })
    .repository;

describe('Project.repository', () => {
  test('is null, without an error, for users who cannot read the code', async () => {
    const query = '{ projects { nodes { fullPath repository { branches { total } } } } }';
    expect(await send(guest, query)).toMatchObject({
      status: 200,
      body: {
        data: {
          projects: {
            nodes: [
              { fullPath: 'acme/empty', repository: { branches: { total: 0 } } },
              { fullPath: 'ada/closed', repository: null },
              { fullPath: 'acme/open', repository: { branches: { total: 2 } } },
            ],
          },
        },
      },
    });
    expect((await send(guest, query)).body).not.toHaveProperty('errors');
    const data = await projectAs(ada, 'ada/closed', 'repository { branches { total } }');
    expect(data).toEqual({ repository: { branches: { total: 2 } } });
  });

  test('is not a field of the root', async () => {
    const { body } = await send(null, '{ repository(project: "acme/open") { __typename } }');
    expect(body).toEqual({
      errors: [expect.objectContaining({ message: expect.stringContaining('Cannot query field') })],
    });
  });

  test('a missing branch, tag, commit or file erases only its own field', async () => {
    const { body } = await send(
      null,
      `{ project(id: "acme/open") { repository {
        branch(name: "none") { name } tag(name: "none") { name } commit(ref: "none") { sha }
        file(ref: "master", path: "none") { path } compare(from: "none", to: "master") { isSame }
        branches { total }
      } } }`,
    );
    expect(body.data).toEqual({
      project: {
        repository: {
          branch: null,
          tag: null,
          commit: null,
          file: null,
          compare: null,
          branches: { total: 2 },
        },
      },
    });
    const { errors } = body as unknown as { errors: { extensions: object; path: string[] }[] };
    expect(errors.map(({ extensions }) => extensions)).toEqual(
      Array.from({ length: 5 }, () => ({ code: 'NOT_FOUND' })),
    );
    expect(errors.map(({ path }) => path.at(-1)).sort()).toEqual([
      'branch',
      'commit',
      'compare',
      'file',
      'tag',
    ]);
  });
});

describe('Repository', () => {
  test('leads to branches and their commits', async () => {
    expect(
      await codeOf(
        'branches { nodes { name isMerged isProtected protection { name } commit { sha } } }',
      ),
    ).toEqual({
      branches: {
        nodes: [
          {
            name: 'feature/x',
            isMerged: true,
            isProtected: true,
            protection: null,
            commit: { sha: aside },
          },
          {
            name: 'master',
            isMerged: false,
            isProtected: true,
            protection: null,
            commit: { sha: merge },
          },
        ],
      },
    });
  });

  test('leads to tags, their commits and releases', async () => {
    expect(
      await codeOf('tags { nodes { name message commit { sha } release { description } } }'),
    ).toEqual({
      tags: {
        nodes: [
          {
            name: 'v2',
            message: null,
            commit: { sha: merge },
            release: { description: 'Notes 2' },
          },
          {
            name: 'v1',
            message: 'The first',
            commit: { sha: second },
            release: { description: 'Notes 1' },
          },
        ],
      },
    });
  });

  test('shows the authors of commits as users', async () => {
    await git(folder, 'checkout', '--quiet', '-b', 'authors', first);
    const write = (email: string) =>
      git(folder, 'commit', '--quiet', '--allow-empty', `--author=X <${email}>`, '-m', email);
    await write('BOB@example.com');
    await write('further@example.com');
    await write('nobody@example.com');
    await git(folder, 'push', '--quiet', remote('acme/open', root), 'authors');
    const added = await as(bob).post('/user/emails', { email: 'further@example.com' });
    const selection =
      'commits(ref: "authors", first: 3) { nodes { author { email date user { username } } } }';
    const date = '2017-10-01T12:00:00.000Z';
    // addresses that the user chose
    expect(await codeOf(selection)).toMatchObject({
      commits: { nodes: [1, 2, 3].map(() => ({ author: { user: null } })) },
    });
    expect(
      await send(
        root,
        `mutation {
          updateUser(input: { id: "User:${bob.id}", isEmailVerified: true }) { user { id } }
          verifyEmail(input: { id: "Email:${(added.body as { id: number }).id}" }) { email { isVerified } }
        }`,
      ),
    ).toMatchObject({ body: { data: { verifyEmail: { email: { isVerified: true } } } } });
    const user = { username: 'bob' };
    expect(await codeOf(selection)).toEqual({
      commits: {
        nodes: [
          { author: { email: 'nobody@example.com', date, user: null } },
          { author: { email: 'further@example.com', date, user } },
          { author: { email: 'BOB@example.com', date, user } },
        ],
      },
    });
    await git(folder, 'push', '--quiet', remote('acme/open', root), ':authors');
    await git(folder, 'checkout', '--quiet', 'master');
  });

  test('leads from branches, tags and commits back to the project', async () => {
    const project = { fullPath: 'acme/open' };
    const read = (await codeOf(
      'branches { nodes { project { fullPath } } } tags { nodes { project { fullPath } } } commit(ref: "master") { project { fullPath } }',
    )) as Readonly<Record<'branches' | 'tags', { readonly nodes: readonly unknown[] }>>;
    expect(read).toEqual({
      branches: { nodes: read.branches.nodes.map(() => ({ project })) },
      tags: { nodes: read.tags.nodes.map(() => ({ project })) },
      commit: { project },
    });
  });

  test('shows a commit with parents, changes, comments and files', async () => {
    expect(
      await codeOf(`commit(ref: "master") {
        sha shortSha title parents { sha } stats { additions deletions total }
        diffs { newPath isNew } comments { total nodes { body author { username } } }
        tree(path: "src") { total nodes { name } }
      }`),
    ).toEqual({
      commit: {
        sha: merge,
        shortSha: merge.slice(0, 8),
        title: 'Merge x',
        parents: [{ sha: second }, { sha: aside }],
        stats: { additions: 2, deletions: 0, total: 2 },
        diffs: [
          { newPath: 'docs/x.md', isNew: true },
          { newPath: 'src/a.ts', isNew: false },
        ],
        comments: { total: 1, nodes: [{ body: 'Good', author: { username: 'ada' } }] },
        tree: { total: 2, nodes: [{ name: 'a.ts' }, { name: 'b.ts' }] },
      },
    });
  });

  test('a cursor gives every commit once', async () => {
    const shas: string[] = [];
    let after = '';
    for (;;) {
      const { commits } = (await codeOf(
        `commits(first: 2 ${after}) { nodes { sha } pageInfo { hasNextPage endCursor } }`,
      )) as {
        commits: {
          nodes: { sha: string }[];
          pageInfo: { hasNextPage: boolean; endCursor: string };
        };
      };
      shas.push(...commits.nodes.map(({ sha }) => sha));
      if (!commits.pageInfo.hasNextPage) break;
      after = `after: "${commits.pageInfo.endCursor}"`;
    }
    expect(shas).toHaveLength(4);
    expect(new Set(shas)).toEqual(new Set([first, second, aside, merge]));
    expect(shas[0]).toBe(merge);
    expect(await codeOf('commits(filter: { path: "src/b.ts" }) { total nodes { sha } }')).toEqual({
      commits: { total: 1, nodes: [{ sha: second }] },
    });
  });

  test('shows the last commit of each entry of a folder', async () => {
    const entries =
      '{ nodes { name type blob { size } lastCommit { sha author { user { username } } } } }';
    const by = (sha: string) => ({ sha, author: { user: { username: 'ada' } } });
    const file = (content: string) => ({ size: content.length });
    expect(await codeOf(`tree ${entries} src: tree(path: "src") ${entries}`)).toEqual({
      tree: {
        nodes: [
          { name: 'docs', type: 'TREE', blob: null, lastCommit: by(aside) },
          { name: 'src', type: 'TREE', blob: null, lastCommit: by(merge) },
          { name: 'README.md', type: 'BLOB', blob: file('# One\n'), lastCommit: by(first) },
          {
            name: 'logo.bin',
            type: 'BLOB',
            blob: { size: 1 },
            lastCommit: by(first),
          },
        ],
      },
      src: {
        nodes: [
          { name: 'a.ts', type: 'BLOB', blob: file('a\na\n'), lastCommit: by(aside) },
          { name: 'b.ts', type: 'BLOB', blob: file('b\n'), lastCommit: by(second) },
        ],
      },
    });
  });

  test('shows the content of a file', async () => {
    const fields = '{ name size content base64 rawUrl lastCommit { sha } commit { sha } }';
    const blob = await git(folder, 'rev-parse', 'HEAD:logo.bin');
    const fileAt = (path: string) => codeOf(`file(ref: "master", path: "${path}") ${fields}`);
    expect(await fileAt('src/a.ts')).toEqual({
      file: {
        name: 'a.ts',
        size: 4,
        content: 'a\na\n',
        base64: Buffer.from('a\na\n').toString('base64'),
        rawUrl: expect.stringContaining(`/api/v4/projects/${open}/repository/blobs/`),
        lastCommit: { sha: aside },
        commit: { sha: merge },
      },
    });
    expect(await fileAt('logo.bin')).toEqual({
      file: {
        name: 'logo.bin',
        size: 1,
        content: null,
        base64: 'AA==',
        rawUrl: expect.stringContaining(`/repository/blobs/${blob}/raw`),
        lastCommit: { sha: first },
        commit: { sha: merge },
      },
    });
    expect(await codeOf('tree(path: "src", first: 1) { nodes { blob { content } } }')).toEqual({
      tree: { nodes: [{ blob: { content: 'a\na\n' } }] },
    });
  });

  test('gives addresses of archives that can be downloaded', async () => {
    const { archive } = (await codeOf('archive { sha url zip: url(format: ZIP) }')) as {
      archive: { sha: string; url: string; zip: string };
    };
    expect(archive.sha).toBe(merge);
    for (const address of [archive.url, archive.zip]) {
      const response = await fetch(`${url}${new URL(address).pathname}?sha=${merge}`);
      expect(response.status).toBe(200);
      await response.body?.cancel();
    }
  });

  test('compares two commits, and counts contributors', async () => {
    expect(
      await codeOf(`compare(from: "v1", to: "master") { commits { sha } diffs { newPath } }
        contributors { nodes { name commitCount user { username } } }`),
    ).toEqual({
      compare: {
        commits: [{ sha: aside }, { sha: merge }],
        diffs: [{ newPath: 'docs/x.md' }, { newPath: 'src/a.ts' }],
      },
      contributors: { nodes: [{ name: 'Ada', commitCount: 3, user: { username: 'ada' } }] },
    });
  });
});

describe('Project.releases', () => {
  test('lists releases with their tags, newest first', async () => {
    const selection =
      'releases { total nodes { tagName description tag { name commit { sha } } project { fullPath } } }';
    const project = { fullPath: 'acme/open' };
    expect(await projectAs(null, 'acme/open', selection)).toEqual({
      releases: {
        total: 2,
        nodes: [
          {
            tagName: 'v2',
            description: 'Notes 2',
            tag: { name: 'v2', commit: { sha: merge } },
            project,
          },
          {
            tagName: 'v1',
            description: 'Notes 1',
            tag: { name: 'v1', commit: { sha: second } },
            project,
          },
        ],
      },
    });
    expect(await projectAs(guest, 'ada/closed', 'releases { total }')).toEqual({ releases: null });
  });
});

describe('Project.protectedBranches', () => {
  test('lists the rules by name for masters, and is null for other users', async () => {
    const selection = 'protectedBranches { total nodes { name pushAccessLevel } }';
    expect(await projectAs(ada, 'acme/open', selection)).toEqual({
      protectedBranches: {
        total: 2,
        nodes: [
          { name: 'feature/*', pushAccessLevel: 'MASTER' },
          { name: 'master', pushAccessLevel: 'MASTER' },
        ],
      },
    });
    expect(await projectAs(null, 'acme/open', selection)).toEqual({ protectedBranches: null });
    expect(await projectAs(bob, 'acme/open', selection)).toEqual({ protectedBranches: null });
  });
});

describe('Project.wiki', () => {
  test('shows pages, and is null if the wiki is disabled', async () => {
    const selection =
      'wiki { pages { total nodes { slug title } } page(slug: "How to") { content } }';
    expect(await projectAs(null, 'acme/open', selection)).toEqual({
      wiki: {
        pages: {
          total: 2,
          nodes: [
            { slug: 'Home', title: 'Home' },
            { slug: 'How-to', title: 'How to' },
          ],
        },
        page: { content: 'So' },
      },
    });
    expect(await projectAs(ada, 'ada/closed', selection)).toEqual({ wiki: null });
  });
});
