import { rm } from 'node:fs/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { git, temporaryFolder } from '../support/git.ts';
import type { Created } from '../support/seed.ts';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, db, seed, root, url, remote } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const acme = await seed.group('acme', { owner: ada }, { visibility: 'internal' });
const tools = await seed.group('acme/tools', {}, { visibility: 'internal' });
const scratch = await temporaryFolder();
afterAll(() => rm(scratch, { recursive: true }));

const failed = (text: string) => ({
  status: 400,
  body: { message: `Failed to transfer project {:new_namespace=>["${text}"]}` },
});

describe('POST /groups/:id/projects/:project_id', () => {
  test('moves the project with its data and redirects the old path', async () => {
    const { id } = await seed.project('ada/app', { developer: bob }, { visibility: 'public' });
    const sha = await seed.push('ada/app', { 'README.md': '# App' });
    const response = await as(root).post(`/groups/acme%2Ftools/projects/ada%2Fapp`);
    expect(response).toMatchObject({
      status: 201,
      body: { id: tools.id, full_path: 'acme/tools', projects: [{ id }], shared_projects: [] },
    });
    expect(response).toEqual({
      status: 201,
      body: (await as(root).get(`/groups/${tools.id}`)).body,
    });
    expect(await as(bob).get('/projects/acme%2Ftools%2Fapp')).toMatchObject({
      status: 200,
      body: {
        id,
        name_with_namespace: 'acme / tools / app',
        path_with_namespace: 'acme/tools/app',
        http_url_to_repo: `${url}/acme/tools/app.git`,
        namespace: { id: tools.id, kind: 'group', full_path: 'acme/tools' },
        // lowered to the visibility of the group
        visibility: 'internal',
        permissions: { project_access: { access_level: 30, notification_level: 3 } },
      },
    });
    const head = await git(scratch, 'ls-remote', remote('ada/app', bob), 'HEAD');
    expect(head.split('\n').at(-1)).toBe(`${sha}\tHEAD`);
    expect(await as(bob).post('/projects', { path: 'app' })).toMatchObject({ status: 201 });
    // a new project at the former path ends the redirect
    expect((await as(ada).post('/projects', { path: 'app' })).status).toBe(201);
    expect(await git(scratch, 'ls-remote', remote('ada/app', ada))).toBe('');
  });

  test('can be transferred back', async () => {
    const { id } = await seed.project('acme/wanderer');
    expect((await as(root).post(`/groups/${tools.id}/projects/${id}`)).status).toBe(201);
    expect((await as(root).post(`/groups/${acme.id}/projects/${id}`)).status).toBe(201);
    expect((await as(ada).get('/projects/acme%2Fwanderer')).body).toMatchObject({ id });
  });

  test('cannot be transferred to its current group', async () => {
    const { id } = await seed.project('acme/still');
    expect(await as(root).post(`/groups/${acme.id}/projects/${id}`)).toEqual(
      failed('Transfer failed, please contact an admin.'),
    );
  });

  test('rejects a path or name that is taken', async () => {
    await seed.project('acme/twin');
    const { id: path } = await seed.project('ada/twin');
    expect(await as(root).post(`/groups/${acme.id}/projects/${path}`)).toEqual(
      failed('Project with same path in target namespace already exists'),
    );
    const { id: name } = await seed.project('bob/other', {}, { name: 'twin' });
    expect(await as(root).post(`/groups/${acme.id}/projects/${name}`)).toEqual(
      failed('Project with same name or path in target namespace already exists'),
    );
    expect((await as(bob).get(`/projects/${name}`)).body).toMatchObject({
      path_with_namespace: 'bob/other',
    });
  });

  test('requires an administrator', async () => {
    const { id } = await seed.project('acme/kept');
    expect(await as(null).post(`/groups/${tools.id}/projects/${id}`)).toEqual(refused.anonymous);
    expect(await as(ada).post(`/groups/${tools.id}/projects/${id}`)).toEqual(refused.forbidden);
  });

  test('group and project must exist', async () => {
    const { id } = await seed.project('acme/there');
    expect(await as(root).post(`/groups/nowhere/projects/${id}`)).toEqual(refused.missing('Group'));
    expect(await as(root).post(`/groups/ada/projects/${id}`)).toEqual(refused.missing('Group'));
    expect(await as(root).post(`/groups/${acme.id}/projects/0`)).toEqual(
      refused.missing('Project'),
    );
  });

  test('concurrent transfers leave the project at one path', async () => {
    const { id } = await seed.project('ada/torn');
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        as(root).post(`/groups/${index % 2 ? acme.id : tools.id}/projects/${id}`),
      ),
    );
    expect(responses.every(({ status }) => status === 201 || status === 400)).toBe(true);
    const { path_with_namespace: path } = (await as(root).get(`/projects/${id}`)).body as {
      path_with_namespace: string;
    };
    expect(['acme/torn', 'acme/tools/torn']).toContain(path);
    expect((await as(root).get(`/projects/${encodeURIComponent(path)}`)).body).toMatchObject({
      id,
    });
  });
});

describe('labels and milestones of the former groups', () => {
  test('are matched by name and title, or copied', async () => {
    await seed.group('left', { owner: ada }, { visibility: 'internal' });
    const { id } = await seed.project('left/app', {}, { visibility: 'internal' });
    const label = (source: string, name: string, color: string) =>
      as(root).post(`${source}/labels`, { name, color });
    await label('/groups/left', 'known', '#111111');
    await label('/groups/left', 'copied', '#222222');
    await label('/groups/acme', 'known', '#333333');
    for (const [source, title] of [
      ['/groups/left', 'v1'],
      ['/groups/left', 'v2'],
      ['/groups/acme', 'v1'],
    ]) {
      await as(root).post(`${source}/milestones`, { title });
    }
    const issues = `/projects/${id}/issues`;
    const milestones = (await as(root).get('/groups/left/milestones')).body as Created[];
    const [second, first] = milestones;
    for (const milestone of [first, second]) {
      const fields = { title: 'x', labels: 'known,copied', milestone_id: milestone?.id };
      expect((await as(root).post(issues, fields)).status).toBe(201);
    }
    const labels = (await as(root).get(`/projects/${id}/labels`)).body as Created[];
    const [board] = (await as(root).get(`/projects/${id}/boards`)).body as Created[];
    const boardPath = `/projects/${id}/boards/${board?.id}`;
    for (const { id: label_id } of labels) {
      expect((await as(root).post(`${boardPath}/lists`, { label_id })).status).toBe(201);
    }

    expect((await as(root).post(`/groups/${acme.id}/projects/${id}`)).status).toBe(201);

    expect(await as(root).get(`/projects/${id}/labels`)).toMatchObject({
      body: [
        { name: 'copied', color: '#222222', open_issues_count: 2 },
        { name: 'known', color: '#333333', open_issues_count: 2 },
      ],
    });
    expect(await as(root).get(`${boardPath}/lists`)).toMatchObject({
      body: [
        { position: 0, label: { name: 'copied', color: '#222222' } },
        { position: 1, label: { name: 'known', color: '#333333' } },
      ],
    });
    expect(await as(root).get(issues)).toMatchObject({
      body: [
        { labels: ['copied', 'known'], milestone: { title: 'v2', project_id: id, iid: 1 } },
        { labels: ['copied', 'known'], milestone: { title: 'v1', group_id: acme.id } },
      ],
    });
    expect(await as(root).get('/groups/left/labels')).toMatchObject({
      body: [{ open_issues_count: 0 }, { open_issues_count: 0 }],
    });
  });

  test('labels of two groups with one name are merged, with one list and one priority', async () => {
    await seed.group('high', { owner: ada }, { visibility: 'internal' });
    await seed.group('high/low', {}, { visibility: 'internal' });
    const { id } = await seed.project('high/low/tracker', {}, { visibility: 'internal' });
    const [high, low] = await Promise.all(
      ['high/low', 'high'].map((path) =>
        db.namespace.findFirstOrThrow({ where: { fullPath: path } }),
      ),
    );
    const namespaceIds = [high?.id ?? 0, low?.id ?? 0];
    const labels = await db.label.createManyAndReturn({
      data: namespaceIds.map((namespaceId) => ({ namespaceId, name: 'same', color: '#111111' })),
    });
    const labelIds = labels.map((label) => label.id);
    const board = await db.board.findUniqueOrThrow({ where: { projectId: id } });
    await db.boardList.createMany({
      data: labelIds.map((labelId, position) => ({ boardId: board.id, labelId, position })),
    });
    await db.labelPriority.createMany({
      data: labelIds.map((labelId, priority) => ({ labelId, projectId: id, priority })),
    });
    const milestones = await db.milestone.createManyAndReturn({
      data: ['v7', 'v8', 'v9'].map((title, index) => ({
        namespaceId: namespaceIds[index % 2] ?? 0,
        iid: 1 + index,
        title,
      })),
    });
    await as(root).post(`/projects/${id}/milestones`, { title: 'own' });
    const issues = `/projects/${id}/issues`;
    for (const milestone of milestones) {
      const { body } = await as(root).post(issues, { title: 'x', milestone_id: milestone.id });
      const { id: issueId } = body as Created;
      await db.issueLabel.createMany({ data: labelIds.map((labelId) => ({ issueId, labelId })) });
    }

    expect((await as(root).post(`/groups/${tools.id}/projects/${id}`)).status).toBe(201);

    expect((await as(root).get(`/projects/${id}/labels`)).body).toMatchObject([
      { name: 'known' },
      { name: 'same', priority: 0, open_issues_count: 3 },
    ]);
    expect((await as(root).get(`/projects/${id}/boards/${board.id}/lists`)).body).toMatchObject([
      { position: 0, label: { name: 'same' } },
    ]);
    expect((await as(root).get(`${issues}?sort=asc`)).body).toMatchObject([
      { labels: ['same'], milestone: { title: 'v7', project_id: id, iid: 2 } },
      { labels: ['same'], milestone: { title: 'v8', project_id: id, iid: 3 } },
      { labels: ['same'], milestone: { title: 'v9', project_id: id, iid: 4 } },
    ]);
    const next = await as(root).post(`/projects/${id}/milestones`, { title: 'next' });
    expect(next.body).toMatchObject({ iid: 5 });
  });
});
