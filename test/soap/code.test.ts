import { describe, expect, test } from 'vitest';
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
const hers = soap.as(ada);
const his = soap.as(bob);
const rest = restOf(as);
const settings = { snippets_enabled: true };
const { id: app } = await seed.project('ada/app', { reporter: bob }, settings);
const commits = await pushBranches(remote('ada/app', root), ['topic', 'picked']);
const tip = commits.get('master') ?? '';

const inProject = `/projects/${app}`;
const repository = `${inProject}/repository`;
const noFile = fault('102', 'File Not Found');
const noBranch = fault('102', 'Branch Not Found');

/** A branch of the tip of master, for a test of its own. */
const start = async (branch: string) => {
  const { status } = await as(ada).post(`${repository}/branches`, { branch, ref: tip });
  expect(status).toBe(201);
  return branch;
};

describe('what is read is what REST tells', () => {
  const noProject = { wrong: ['none', 'master'], refusal: projectNotFound };

  test.each<{ method: string; args: unknown; path: string; wrong: unknown; refusal: unknown }>([
    {
      method: 'branch.list',
      args: [app, { search: 'topi' }],
      path: `${repository}/branches?search=topi`,
      wrong: [app, { page: 'x' }],
      refusal: fault('101', 'page is invalid'),
    },
    {
      method: 'branch.info',
      args: ['ada/app', 'topic'],
      path: `${repository}/branches/topic`,
      wrong: [app, 'none'],
      refusal: noBranch,
    },
    {
      method: 'commit.list',
      args: [app, { ref_name: 'topic', per_page: '1', page: '2' }],
      path: `${repository}/commits?ref_name=topic&per_page=1&page=2`,
      wrong: [app, { since: 'never' }],
      refusal: fault('101', 'since is invalid'),
    },
    {
      method: 'commit.info',
      args: [app, 'topic', { stats: 'false' }],
      path: `${repository}/commits/topic?stats=false`,
      wrong: [app, 'none'],
      refusal: fault('102', 'Commit Not Found'),
    },
    {
      method: 'commit.diff',
      args: { id: app, sha: 'topic' },
      path: `${repository}/commits/topic/diff`,
      ...noProject,
    },
    {
      method: 'file.info',
      args: [app, 'README.md', { ref: 'master' }],
      path: `${repository}/files/README.md?ref=master`,
      wrong: [app, 'README.md'],
      refusal: fault('100', 'ref is missing'),
    },
    {
      method: 'file.raw',
      args: [app, 'README.md', { ref: 'master' }],
      path: `${repository}/files/README.md/raw?ref=master`,
      wrong: [app, 'none', { ref: 'master' }],
      refusal: noFile,
    },
  ])('$method', async ({ method, args, path, wrong, refusal }) => {
    const told = await hers(method, args);
    expect(told).toEqual(await rest(ada, path));
    if (Array.isArray(told.result)) expect(told.result).toHaveLength(1);
    expect(await hers(method, wrong)).toEqual(refusal);
  });
});

describe('branch', () => {
  const shown = (name: string) => rest(ada, `${repository}/branches/${encodeURIComponent(name)}`);

  test('create and delete', async () => {
    const given = { branch: 'new/one', ref: 'topic' };
    const told = await hers('branch.create', [app, given]);
    expect(told.result).toMatchObject({ name: 'new/one', commit: { id: commits.get('topic') } });
    expect(told).toEqual(await shown('new/one'));
    expect(await his('branch.create', [app, given])).toEqual(denied);
    expect(await his('branch.delete', [app, 'new/one'])).toEqual(denied);
    expect(await hers('branch.delete', [app, 'new/one'])).toEqual({ result: true });
    expect(await hers('branch.delete', [app, 'new/one'])).toEqual(noBranch);
  });

  test('delete_merged', async () => {
    const { id } = await seed.project('ada/merged');
    await seed.push('ada/merged', { 'a.txt': 'a' });
    const told = await hers('branch.delete_merged', ['ada/merged']);
    expect(told).toEqual({ result: { message: '202 Accepted' } });
    expect(await his('branch.delete_merged', [id])).toEqual(projectNotFound);
  });

  test('protect and unprotect', async () => {
    const name = await start('kept');
    const told = await hers('branch.protect', [app, name, { developers_can_push: 'true' }]);
    expect(told.result).toMatchObject({ protected: true, developers_can_push: true });
    expect(told).toEqual(await shown(name));
    const freed = await hers('branch.unprotect', [app, name]);
    expect(freed.result).toMatchObject({ protected: false });
    expect(freed).toEqual(await shown(name));
    for (const verb of ['protect', 'unprotect']) {
      expect(await his(`branch.${verb}`, [app, name])).toEqual(denied);
    }
  });
});

test('protected_branch: create, list, info and delete', async () => {
  const all = `${inProject}/protected_branches`;
  const told = await hers('protected_branch.create', [
    app,
    { name: 'stable-*', push_access_level: '0', merge_access_level: 30 },
  ]);
  expect(told.result).toMatchObject({ merge_access_levels: [{ access_level: 30 }] });
  expect(told).toEqual(await rest(ada, `${all}/stable-*`));
  expect(await hers('protected_branch.info', [app, 'stable-*'])).toEqual(told);
  expect(await hers('protected_branch.list', app)).toEqual(await rest(ada, all));
  expect(await hers('protected_branch.create', [app])).toEqual(fault('100', 'name is missing'));
  expect(await hers('protected_branch.info', [app, 'none'])).toEqual(recordNotFound);
  expect(await his('protected_branch.list', app)).toEqual(denied);
  expect(await his('protected_branch.delete', [app, 'stable-*'])).toEqual(denied);
  expect(await hers('protected_branch.delete', [app, 'stable-*'])).toEqual({ result: true });
});

describe('commit', () => {
  const shown = (sha: string) => rest(ada, `${repository}/commits/${sha}`);
  const shaOf = (told: { readonly result?: unknown }) => (told.result as { id: string }).id;

  test('create', async () => {
    const branch = await start('written');
    const content = 'Grüße\n';
    const actions = [
      { action: 'create', file_path: 'a.txt', content },
      { action: 'delete', file_path: 'README.md', content: null },
    ];
    const given = { branch, commit_message: 'Two changes', actions };
    const told = await hers('commit.create', [app, given]);
    expect(told.result).toMatchObject({ title: 'Two changes', parent_ids: [tip] });
    expect(told).toEqual(await shown(shaOf(told)));
    expect(await hers('file.raw', [app, 'a.txt', { ref: branch }])).toEqual({ result: content });
    expect(await his('commit.create', [app, given])).toEqual(denied);
  });

  test('cherry_pick', async () => {
    const branch = await start('onto');
    const told = await hers('commit.cherry_pick', [app, commits.get('picked'), { branch }]);
    expect(told.result).toMatchObject({ title: 'Change picked', parent_ids: [tip] });
    expect(told).toEqual(await shown(shaOf(told)));
    expect(await hers('commit.cherry_pick', [app, 'picked'])).toEqual(
      fault('100', 'branch is missing'),
    );
  });

  test('commit_comment: create and list', async () => {
    const line = { path: 'topic.txt', line: 1, line_type: 'new' };
    const told = await hers('commit_comment.create', [app, 'topic', { note: 'Why?', ...line }]);
    expect(told.result).toMatchObject({ note: 'Why?', ...line, author: { username: 'ada' } });
    const listed = await hers('commit_comment.list', [app, 'topic']);
    expect(listed).toEqual(await rest(ada, `${repository}/commits/topic/comments`));
    expect(listed).toEqual({ result: [told.result] });
    expect(await hers('commit_comment.create', [app, 'topic'])).toEqual(
      fault('100', 'note is missing'),
    );
    expect(await hers('commit_comment.list', ['none', 'topic'])).toEqual(projectNotFound);
  });
});

test('file: create, update and delete', async () => {
  const branch = await start('files');
  const place = [app, 'a/ä b.txt'];
  const read = () => hers('file.raw', [...place, { ref: branch }]);
  const given = { branch, commit_message: 'A change', content: 'Größe\n' };
  const told = { result: { file_path: 'a/ä b.txt', branch } };
  expect(await hers('file.create', [...place, given])).toEqual(told);
  expect(await read()).toEqual({ result: given.content });
  const bytes = { ...given, content: 'AAH//g==', encoding: 'base64' };
  expect(await hers('file.update', [...place, bytes])).toEqual(told);
  const info = await hers('file.info', [...place, { ref: branch }]);
  expect(info).toEqual(await rest(ada, `${repository}/files/a%2F%C3%A4%20b.txt?ref=${branch}`));
  expect(info.result).toMatchObject({ content: 'AAH//g==', size: 4 });
  expect(await hers('file.create', [...place, given])).toMatchObject({ fault: { code: '100' } });
  expect(await hers('file.update', [...place, { branch }])).toMatchObject({
    fault: { code: '100', message: expect.stringContaining('content is missing') },
  });
  expect(await his('file.delete', [...place, given])).toEqual(denied);
  expect(await hers('file.delete', [...place, given])).toEqual({ result: true });
  expect(await read()).toEqual(noFile);
});

describe.each([
  { name: 'snippet', place: [], all: '/snippets', text: 'content' },
  { name: 'project_snippet', place: [app], all: `${inProject}/snippets`, text: 'code' },
])('$name', ({ name, place, all, text }) => {
  const given = { title: 'Grüße', file_name: 'a.rb', content: 'ä\n', visibility: 'private' };

  test('create, info, raw, list, update and delete', async () => {
    const told = await hers(`${name}.create`, [...place, given]);
    const { id } = told.result as Created;
    const one = [...place, id];
    expect(told.result).toMatchObject({ title: 'Grüße', file_name: 'a.rb' });
    expect(told).toEqual(await rest(ada, `${all}/${id}`));
    expect(await hers(`${name}.info`, one)).toEqual(told);
    expect(await hers(`${name}.raw`, one)).toEqual({ result: given.content });
    expect(await hers(`${name}.raw`, one)).toEqual(await rest(ada, `${all}/${id}/raw`));
    expect(await hers(`${name}.list`, place)).toEqual(await rest(ada, all));
    const changed = await hers(`${name}.update`, [...one, { description: 'More' }]);
    expect(changed.result).toMatchObject({ id, description: 'More' });
    expect(changed).toEqual(await rest(ada, `${all}/${id}`));
    expect(await hers(`${name}.delete`, one)).toEqual({ result: true });
    for (const method of ['info', 'raw', 'delete']) {
      expect(await hers(`${name}.${method}`, one)).toMatchObject({ fault: { code: '102' } });
    }
  });

  test('what is refused', async () => {
    const { content: _, ...incomplete } = given;
    expect(await hers(`${name}.create`, [...place, incomplete])).toEqual(
      fault('100', `${text} is missing`),
    );
    const { result } = await hers(`${name}.create`, [
      ...place,
      { ...given, visibility: 'internal' },
    ]);
    const one = [...place, (result as Created).id];
    expect(await his(`${name}.update`, [...one, { title: 'No' }])).toEqual(denied);
    expect(await hers(`${name}.list`, [...place, { page: 'x' }])).toEqual(
      fault('101', 'page is invalid'),
    );
  });
});

test('snippet.list_public', async () => {
  const given = { title: 'Open', file_name: 'a', content: 'a', visibility: 'public' };
  const { result } = await his('snippet.create', [given]);
  const told = await hers('snippet.list_public');
  expect(told).toEqual(await rest(ada, '/snippets/public'));
  expect(told.result).toEqual([result]);
  expect(await hers('snippet.list_public', [{ page: 'x' }])).toEqual(
    fault('101', 'page is invalid'),
  );
});
