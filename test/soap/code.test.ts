import { describe, expect, test, vi } from 'vitest';
import { pushBranches } from '../support/merge-requests.ts';
import type { Created } from '../support/seed.ts';
import {
  denied,
  fault,
  projectNotFound,
  recordNotFound,
  restOf,
  soapClientOf,
} from '../support/soap.ts';
import { world } from '../support/world.ts';

const { as, remote, root, seed, url } = await world();
const soap = soapClientOf(url);
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const asAda = soap.as(ada);
const asBob = soap.as(bob);
const rest = restOf(as);
const settings = { snippets_enabled: true };
const { id: app } = await seed.project('ada/app', { reporter: bob }, settings);
const commits = await pushBranches(remote('ada/app', root), ['topic', 'picked']);
const tip = commits.get('master') ?? '';

const inProject = `/projects/${app}`;
const repository = `${inProject}/repository`;
const noFile = fault('102', 'File Not Found');
const noBranch = fault('102', 'Branch Not Found');

/** Creates a branch at the tip of master for one test. */
const createBranch = async (branch: string) => {
  const { status } = await as(ada).post(`${repository}/branches`, { branch, ref: tip });
  expect(status).toBe(201);
  return branch;
};

test('commit.merge_requests equals REST', async () => {
  const input = { source_branch: 'picked', target_branch: 'master', title: 'Pick' };
  expect((await as(ada).post(`${inProject}/merge_requests`, input)).status).toBe(201);
  const path = `${repository}/commits/picked/merge_requests`;
  // recorded by the job after a push
  const response = await vi.waitFor(
    async () => {
      const listed = await asAda('commit.merge_requests', [app, 'picked']);
      expect(listed.result).toMatchObject([{ merge_status: 'can_be_merged' }]);
      return listed;
    },
    { timeout: 20_000, interval: 50 },
  );
  expect(response).toEqual(await rest(ada, path));
  expect(await asAda('commit.merge_requests', [app, 'none'])).toEqual(
    fault('102', 'Commit Not Found'),
  );
});

describe('results equal those of REST', () => {
  const projectMissing = { invalidArgs: ['none', 'master'], expectedFault: projectNotFound };

  test.each<{
    method: string;
    args: unknown;
    path: string;
    invalidArgs: unknown;
    expectedFault: unknown;
  }>([
    {
      method: 'branch.list',
      args: [app, { search: 'topi' }],
      path: `${repository}/branches?search=topi`,
      invalidArgs: [app, { page: 'x' }],
      expectedFault: fault('101', 'page is invalid'),
    },
    {
      method: 'branch.info',
      args: ['ada/app', 'topic'],
      path: `${repository}/branches/topic`,
      invalidArgs: [app, 'none'],
      expectedFault: noBranch,
    },
    {
      method: 'commit.list',
      args: [app, { ref_name: 'topic', per_page: '1', page: '2' }],
      path: `${repository}/commits?ref_name=topic&per_page=1&page=2`,
      invalidArgs: [app, { since: 'never' }],
      expectedFault: fault('101', 'since is invalid'),
    },
    {
      method: 'commit.info',
      args: [app, 'topic', { stats: 'false' }],
      path: `${repository}/commits/topic?stats=false`,
      invalidArgs: [app, 'none'],
      expectedFault: fault('102', 'Commit Not Found'),
    },
    {
      method: 'commit.diff',
      args: { id: app, sha: 'topic' },
      path: `${repository}/commits/topic/diff`,
      ...projectMissing,
    },
    {
      method: 'commit.refs',
      args: [app, 'topic', { type: 'branch' }],
      path: `${repository}/commits/topic/refs?type=branch`,
      ...projectMissing,
    },
    {
      method: 'file.blame',
      args: [app, 'README.md', { ref: 'master' }],
      path: `${repository}/files/README.md/blame?ref=master`,
      invalidArgs: [app, 'none', { ref: 'master' }],
      expectedFault: noFile,
    },
    {
      method: 'file.info',
      args: [app, 'README.md', { ref: 'master' }],
      path: `${repository}/files/README.md?ref=master`,
      invalidArgs: [app, 'README.md'],
      expectedFault: fault('100', 'ref is missing'),
    },
    {
      method: 'file.raw',
      args: [app, 'README.md', { ref: 'master' }],
      path: `${repository}/files/README.md/raw?ref=master`,
      invalidArgs: [app, 'none', { ref: 'master' }],
      expectedFault: noFile,
    },
  ])('$method', async ({ method, args, path, invalidArgs, expectedFault }) => {
    const response = await asAda(method, args);
    expect(response).toEqual(await rest(ada, path));
    if (Array.isArray(response.result)) expect(response.result).toHaveLength(1);
    expect(await asAda(method, invalidArgs)).toEqual(expectedFault);
  });
});

describe('branch', () => {
  const restBranch = (name: string) =>
    rest(ada, `${repository}/branches/${encodeURIComponent(name)}`);

  test('create and delete', async () => {
    const input = { branch: 'new/one', ref: 'topic' };
    const response = await asAda('branch.create', [app, input]);
    expect(response.result).toMatchObject({
      name: 'new/one',
      commit: { id: commits.get('topic') },
    });
    expect(response).toEqual(await restBranch('new/one'));
    expect(await asBob('branch.create', [app, input])).toEqual(denied);
    expect(await asBob('branch.delete', [app, 'new/one'])).toEqual(denied);
    expect(await asAda('branch.delete', [app, 'new/one'])).toEqual({ result: true });
    expect(await asAda('branch.delete', [app, 'new/one'])).toEqual(noBranch);
  });

  test('delete_merged', async () => {
    const { id } = await seed.project('ada/merged');
    await seed.push('ada/merged', { 'a.txt': 'a' });
    const response = await asAda('branch.delete_merged', ['ada/merged']);
    expect(response).toEqual({ result: { message: '202 Accepted' } });
    expect(await asBob('branch.delete_merged', [id])).toEqual(projectNotFound);
  });

  test('protect and unprotect', async () => {
    const name = await createBranch('kept');
    const response = await asAda('branch.protect', [app, name, { developers_can_push: 'true' }]);
    expect(response.result).toMatchObject({ protected: true, developers_can_push: true });
    expect(response).toEqual(await restBranch(name));
    const freed = await asAda('branch.unprotect', [app, name]);
    expect(freed.result).toMatchObject({ protected: false });
    expect(freed).toEqual(await restBranch(name));
    for (const verb of ['protect', 'unprotect']) {
      expect(await asBob(`branch.${verb}`, [app, name])).toEqual(denied);
    }
  });
});

test('protected_branch: create, list, info and delete', async () => {
  const path = `${inProject}/protected_branches`;
  const response = await asAda('protected_branch.create', [
    app,
    { name: 'stable-*', push_access_level: '0', merge_access_level: 30 },
  ]);
  expect(response.result).toMatchObject({ merge_access_levels: [{ access_level: 30 }] });
  expect(response).toEqual(await rest(ada, `${path}/stable-*`));
  expect(await asAda('protected_branch.info', [app, 'stable-*'])).toEqual(response);
  expect(await asAda('protected_branch.list', app)).toEqual(await rest(ada, path));
  expect(await asAda('protected_branch.create', [app])).toEqual(fault('100', 'name is missing'));
  expect(await asAda('protected_branch.info', [app, 'none'])).toEqual(recordNotFound);
  expect(await asBob('protected_branch.list', app)).toEqual(denied);
  expect(await asBob('protected_branch.delete', [app, 'stable-*'])).toEqual(denied);
  expect(await asAda('protected_branch.delete', [app, 'stable-*'])).toEqual({ result: true });
});

describe('commit', () => {
  const restCommit = (sha: string) => rest(ada, `${repository}/commits/${sha}`);
  const shaOf = (response: { readonly result?: unknown }) => (response.result as { id: string }).id;

  test('create', async () => {
    const branch = await createBranch('written');
    const content = 'Grüße\n';
    const actions = [
      { action: 'create', file_path: 'a.txt', content },
      { action: 'delete', file_path: 'README.md', content: null },
    ];
    const input = { branch, commit_message: 'Two changes', actions };
    const response = await asAda('commit.create', [app, input]);
    expect(response.result).toMatchObject({ title: 'Two changes', parent_ids: [tip] });
    expect(response).toEqual(await restCommit(shaOf(response)));
    expect(await asAda('file.raw', [app, 'a.txt', { ref: branch }])).toEqual({ result: content });
    expect(await asBob('commit.create', [app, input])).toEqual(denied);
  });

  test('cherry_pick', async () => {
    const branch = await createBranch('onto');
    const response = await asAda('commit.cherry_pick', [app, commits.get('picked'), { branch }]);
    expect(response.result).toMatchObject({ title: 'Change picked', parent_ids: [tip] });
    expect(response).toEqual(await restCommit(shaOf(response)));
    expect(await asAda('commit.cherry_pick', [app, 'picked'])).toEqual(
      fault('100', 'branch is missing'),
    );
  });

  test('revert', async () => {
    const branch = await createBranch('reverting');
    const { result } = await asAda('commit.cherry_pick', [app, commits.get('picked'), { branch }]);
    const { id: sha } = result as { readonly id: string };
    const response = await asAda('commit.revert', [app, sha, { branch }]);
    expect(response.result).toMatchObject({ title: 'Revert "Change picked"', parent_ids: [sha] });
    expect(response).toEqual(await restCommit(shaOf(response)));
    expect(await asAda('commit.revert', [app, sha, { branch }])).toMatchObject({
      fault: { code: '100' },
    });
  });

  test('commit_comment: create and list', async () => {
    const line = { path: 'topic.txt', line: 1, line_type: 'new' };
    const response = await asAda('commit_comment.create', [
      app,
      'topic',
      { note: 'Why?', ...line },
    ]);
    expect(response.result).toMatchObject({ note: 'Why?', ...line, author: { username: 'ada' } });
    const listed = await asAda('commit_comment.list', [app, 'topic']);
    expect(listed).toEqual(await rest(ada, `${repository}/commits/topic/comments`));
    expect(listed).toEqual({ result: [response.result] });
    expect(await asAda('commit_comment.create', [app, 'topic'])).toEqual(
      fault('100', 'note is missing'),
    );
    expect(await asAda('commit_comment.list', ['none', 'topic'])).toEqual(projectNotFound);
  });
});

test('file: create, update and delete', async () => {
  const branch = await createBranch('files');
  const ids = [app, 'a/ä b.txt'];
  const read = () => asAda('file.raw', [...ids, { ref: branch }]);
  const input = { branch, commit_message: 'A change', content: 'Größe\n' };
  const written = { result: { file_path: 'a/ä b.txt', branch } };
  expect(await asAda('file.create', [...ids, input])).toEqual(written);
  expect(await read()).toEqual({ result: input.content });
  const bytes = { ...input, content: 'AAH//g==', encoding: 'base64' };
  expect(await asAda('file.update', [...ids, bytes])).toEqual(written);
  const info = await asAda('file.info', [...ids, { ref: branch }]);
  expect(info).toEqual(await rest(ada, `${repository}/files/a%2F%C3%A4%20b.txt?ref=${branch}`));
  expect(info.result).toMatchObject({ content: 'AAH//g==', size: 4 });
  expect(await asAda('file.create', [...ids, input])).toMatchObject({ fault: { code: '100' } });
  expect(await asAda('file.update', [...ids, { branch }])).toMatchObject({
    fault: { code: '100', message: expect.stringContaining('content is missing') },
  });
  expect(await asBob('file.delete', [...ids, input])).toEqual(denied);
  expect(await asAda('file.delete', [...ids, input])).toEqual({ result: true });
  expect(await read()).toEqual(noFile);
});

describe.each([
  { name: 'snippet', ids: [], path: '/snippets', text: 'content' },
  { name: 'project_snippet', ids: [app], path: `${inProject}/snippets`, text: 'code' },
])('$name', ({ name, ids, path, text }) => {
  const input = { title: 'Grüße', file_name: 'a.rb', content: 'ä\n', visibility: 'private' };

  test('create, info, raw, list, update and delete', async () => {
    const response = await asAda(`${name}.create`, [...ids, input]);
    const { id } = response.result as Created;
    const snippet = [...ids, id];
    expect(response.result).toMatchObject({ title: 'Grüße', file_name: 'a.rb' });
    expect(response).toEqual(await rest(ada, `${path}/${id}`));
    expect(await asAda(`${name}.info`, snippet)).toEqual(response);
    expect(await asAda(`${name}.raw`, snippet)).toEqual({ result: input.content });
    expect(await asAda(`${name}.raw`, snippet)).toEqual(await rest(ada, `${path}/${id}/raw`));
    expect(await asAda(`${name}.list`, ids)).toEqual(await rest(ada, path));
    const changed = await asAda(`${name}.update`, [...snippet, { description: 'More' }]);
    expect(changed.result).toMatchObject({ id, description: 'More' });
    expect(changed).toEqual(await rest(ada, `${path}/${id}`));
    expect(await asAda(`${name}.delete`, snippet)).toEqual({ result: true });
    for (const method of ['info', 'raw', 'delete']) {
      expect(await asAda(`${name}.${method}`, snippet)).toMatchObject({ fault: { code: '102' } });
    }
  });

  test('returns faults for invalid input and missing rights', async () => {
    const { content: _, ...incomplete } = input;
    expect(await asAda(`${name}.create`, [...ids, incomplete])).toEqual(
      fault('100', `${text} is missing`),
    );
    const { result } = await asAda(`${name}.create`, [
      ...ids,
      { ...input, visibility: 'internal' },
    ]);
    const snippet = [...ids, (result as Created).id];
    expect(await asBob(`${name}.update`, [...snippet, { title: 'No' }])).toEqual(denied);
    expect(await asAda(`${name}.list`, [...ids, { page: 'x' }])).toEqual(
      fault('101', 'page is invalid'),
    );
  });
});

test('snippet.list_public', async () => {
  const input = { title: 'Open', file_name: 'a', content: 'a', visibility: 'public' };
  const { result } = await asBob('snippet.create', [input]);
  const response = await asAda('snippet.list_public');
  expect(response).toEqual(await rest(ada, '/snippets/public'));
  expect(response.result).toEqual([result]);
  expect(await asAda('snippet.list_public', [{ page: 'x' }])).toEqual(
    fault('101', 'page is invalid'),
  );
});

test('protected_tag: create, list, info and delete', async () => {
  const rule = {
    name: 'v*',
    create_access_levels: [{ access_level: 30, access_level_description: 'Developers + Masters' }],
  };
  const input = { name: 'v*', create_access_level: 30 };
  expect(await asAda('protected_tag.create', [app, input])).toEqual({ result: rule });
  expect(await asAda('protected_tag.list', [app])).toEqual({ result: [rule] });
  expect(await asAda('protected_tag.info', [app, 'v*'])).toEqual({ result: rule });
  expect(await asBob('protected_tag.list', [app])).toEqual(denied);
  expect(await asBob('protected_tag.create', [app, input])).toEqual(denied);
  expect(await asAda('protected_tag.delete', [app, 'v*'])).not.toHaveProperty('fault');
  expect(await asAda('protected_tag.info', [app, 'v*'])).toEqual(recordNotFound);
});
