import { rm } from 'node:fs/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { git, temporaryFolder } from '../support/git.ts';
import type { Created, TestUser } from '../support/seed.ts';
import { refused } from '../support/shapes.ts';
import { visitorAt } from '../support/visitor.ts';
import { world } from '../support/world.ts';

const { as, db, seed, root, url, remote } = await world();
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const carl = await seed.user('carl');
const eve = await seed.user('eve', { canCreateGroup: false });
const acme = await seed.group('acme', { owner: ada, reporter: carl }, { visibility: 'internal' });
const scratch = await temporaryFolder();
afterAll(() => rm(scratch, { recursive: true }));

const transfer = (user: TestUser | null, group: number | string, parent?: number | string) =>
  as(user).post(
    `/groups/${encodeURIComponent(group)}/transfer`,
    parent === undefined ? {} : { group_id: parent },
  );
const failed = (reason: string) => ({
  status: 400,
  body: { message: `Transfer failed: ${reason}` },
});
const samePath = failed('The parent group already has a subgroup with the same path.');
const noPermission = failed("You don't have enough permissions.");

describe('POST /groups/:id/transfer', () => {
  test('moves the group with its subgroups and projects, and redirects the former paths', async () => {
    const tools = await seed.group('Tools', { owner: ada }, { visibility: 'public' });
    const inner = await seed.group('Tools/CI', {}, { visibility: 'public' });
    const app = await seed.project('Tools/CI/App', { guest: bob }, { visibility: 'public' });
    const own = await seed.project('Tools/lib', {}, { visibility: 'private' });
    const sha = await seed.push('Tools/CI/App', { 'README.md': '# App' });
    const response = await transfer(ada, 'tools', acme.id);
    expect(response).toMatchObject({
      status: 201,
      body: {
        id: tools.id,
        full_path: 'acme/Tools',
        full_name: 'acme / Tools',
        parent_id: acme.id,
        // limited to the visibility of the new parent
        visibility: 'internal',
        projects: [{ id: own.id }],
      },
    });
    expect(response.body).toEqual((await as(ada).get(`/groups/${tools.id}`)).body);
    expect(await as(ada).get('/groups/acme%2Ftools%2Fci')).toMatchObject({
      status: 200,
      body: { id: inner.id, full_name: 'acme / Tools / CI', visibility: 'internal' },
    });
    const project = {
      id: app.id,
      name_with_namespace: 'acme / Tools / CI / App',
      path_with_namespace: 'acme/Tools/CI/App',
      http_url_to_repo: `${url}/acme/Tools/CI/App.git`,
      namespace: { id: inner.id, full_path: 'acme/Tools/CI' },
      visibility: 'internal',
    };
    expect((await as(bob).get('/projects/acme%2Ftools%2Fci%2Fapp')).body).toMatchObject(project);
    expect((await as(ada).get(`/projects/${own.id}`)).body).toMatchObject({
      visibility: 'private',
      path_with_namespace: 'acme/Tools/lib',
    });
    // new members by inheritance
    expect((await as(carl).get(`/projects/${own.id}`)).status).toBe(200);
    const head = await git(scratch, 'ls-remote', remote('tools/ci/app', bob), 'HEAD');
    expect(head.split('\n').at(-1)).toBe(`${sha}\tHEAD`);
    const visitor = visitorAt(url);
    await visitor.signIn(bob);
    for (const [path, place] of [
      ['/groups/Tools/CI', '/groups/acme/Tools/CI'],
      ['/Tools/CI/App/issues?state=all', '/acme/Tools/CI/App/issues?state=all'],
    ] as const) {
      const page = await visitor.get(path);
      expect([page.status, page.headers.get('location')]).toEqual([302, place]);
    }
    expect(await as(bob).post('/groups', { name: 'New', path: 'tools' })).toMatchObject({
      status: 400,
    });
  });

  test('moves a subgroup to the top level, whose former members lose access', async () => {
    const { id } = await seed.group('acme/leaving', {}, { visibility: 'private' });
    const app = await seed.project('acme/leaving/app');
    expect((await as(carl).get(`/projects/${app.id}`)).status).toBe(200);
    expect(await transfer(ada, 'acme/leaving')).toMatchObject({
      status: 201,
      body: { full_path: 'leaving', full_name: 'leaving', parent_id: null },
    });
    expect(await as(carl).get(`/projects/${app.id}`)).toEqual(refused.missing('Project'));
    expect(await as(carl).get(`/groups/${id}`)).toEqual(refused.missing('Group'));
    // the user who moved it stays an owner
    const members = (await as(ada).get(`/groups/${id}/members`)).body;
    expect(members).toContainEqual(expect.objectContaining({ id: ada.id, access_level: 50 }));
    expect((await as(ada).get('/projects/leaving%2Fapp')).body).toMatchObject({ id: app.id });
    // and back, where its former path is its own
    expect((await transfer(ada, id, 'acme')).body).toMatchObject({ full_path: 'acme/leaving' });
    expect(await transfer(ada, id, '')).toMatchObject({ status: 201 });
    expect(await db.formerPath.findMany({ where: { key: 'leaving' } })).toEqual([]);
  });

  test('makes an administrator the owner of a top-level group without another one', async () => {
    for (const [path, roles, owner] of [
      ['owned', { owner: bob }, bob],
      ['free', { developer: bob }, root],
    ] as const) {
      const { id } = await seed.group(`acme/${path}`, roles);
      await db.member.deleteMany({ where: { namespaceId: id, userId: root.id } });
      expect((await transfer(root, id)).status).toBe(201);
      const where = { namespaceId: id, accessLevel: 50 };
      const owners = await db.member.findMany({ where, select: { userId: true } });
      expect(owners).toEqual([{ userId: owner.id }]);
    }
  });

  test('is refused where the group is already, and below itself', async () => {
    const top = await seed.group('top', { owner: ada });
    const low = await seed.group('top/low');
    const lowest = await seed.group('top/low/lowest');
    expect(await transfer(ada, top.id)).toEqual(failed('Group is already a root group.'));
    expect(await transfer(ada, low.id, top.id)).toEqual(
      failed('Group is already associated to the parent group.'),
    );
    for (const [id, parent] of [
      [top.id, top.id],
      [top.id, lowest.id],
      [low.id, lowest.id],
    ]) {
      expect(await transfer(ada, id ?? 0, parent)).toEqual(
        failed('Cannot transfer group to one of its subgroup.'),
      );
    }
  });

  test('is refused if the path or the name is taken or reserved', async () => {
    await seed.group('acme/twin');
    const twin = await seed.group('twin', { owner: ada });
    expect(await transfer(ada, twin.id, acme.id)).toEqual(samePath);
    const inner = await seed.group('acme/bob');
    expect(await transfer(ada, inner.id)).toEqual(samePath);
    await seed.project('acme/thing');
    const thing = await seed.group('thing', { owner: ada });
    expect(await transfer(ada, thing.id, acme.id)).toEqual(
      failed('Validation failed: Path has already been taken'),
    );
    const named = await seed.group('named', { owner: ada }, { name: 'twin of it' });
    await seed.group('acme/another', {}, { name: 'twin of it' });
    expect(await transfer(ada, named.id, acme.id)).toEqual(
      failed('Validation failed: Name has already been taken'),
    );
    const admin = await seed.group('acme/admin');
    expect(await transfer(ada, admin.id)).toEqual(
      failed('Validation failed: Path admin is a reserved name'),
    );
    expect((await as(ada).get('/groups/acme%2Fadmin')).body).toMatchObject({ id: admin.id });
  });

  test('is refused if a path below would become too long', async () => {
    const parent = `${'p'.repeat(200)}`;
    await seed.group(parent, { owner: ada });
    const paths = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(210));
    for (const index of paths.keys()) {
      await seed.group(paths.slice(0, index + 1).join('/'), index === 0 ? { owner: ada } : {});
    }
    expect(await transfer(ada, paths[0] ?? '', parent)).toEqual(
      failed(
        'Validation failed: Path is too long with everything above it (maximum is 1000 characters)',
      ),
    );
  });

  test('requires an owner of the group who may create groups at the new place', async () => {
    const { id } = await seed.group('mine', { owner: eve, master: bob }, { visibility: 'public' });
    const inner = await seed.group('mine/inner');
    const hidden = await seed.group('hidden');
    await as(root).post(`/groups/${acme.id}/members`, { user_id: eve.id, access_level: 40 });
    expect(await transfer(null, id, acme.id)).toEqual(refused.anonymous);
    expect(await transfer(bob, id, acme.id)).toEqual(refused.forbidden);
    expect(await transfer(eve, id, acme.id)).toEqual(noPermission);
    expect(await transfer(eve, inner.id)).toEqual(noPermission);
    for (const parent of [hidden.id, 'nowhere', 'eve', 0]) {
      expect(await transfer(eve, id, parent)).toEqual(refused.missing('Group'));
    }
    expect(await transfer(eve, hidden.id, id)).toEqual(refused.missing('Group'));
    expect(await transfer(root, id, hidden.id)).toMatchObject({ status: 201 });
  });
});

describe('labels and milestones of the former groups', () => {
  test('are matched by name and title, or copied, in every project', async () => {
    const old = await seed.group('old', { owner: ada }, { visibility: 'internal' });
    const moved = await seed.group('old/moved', {}, { visibility: 'internal' });
    const labels = [
      [old.id, 'known'],
      [old.id, 'copied'],
      [moved.id, 'kept'],
      [acme.id, 'known'],
    ] as const;
    await db.label.createMany({
      data: labels.map(([namespaceId, name]) => ({ namespaceId, name, color: '#111111' })),
    });
    for (const [group, title] of [
      [old, 'v1'],
      [old, 'v2'],
      [acme, 'v1'],
    ] as const) {
      await as(root).post(`/groups/${group.id}/milestones`, { title });
    }
    const { body } = await as(root).get(`/groups/${old.id}/milestones`);
    const [second, first] = body as Created[];
    const projects = [
      await seed.project('old/moved/one', {}, { visibility: 'internal' }),
      await seed.project('old/moved/two', {}, { visibility: 'internal' }),
    ];
    for (const { id } of projects) {
      for (const milestone of [first, second]) {
        const fields = { title: 'x', labels: 'known,copied,kept', milestone_id: milestone?.id };
        expect((await as(root).post(`/projects/${id}/issues`, fields)).status).toBe(201);
      }
      const release = await db.release.create({
        data: { projectId: id, tagName: 'v2', description: '' },
      });
      await db.releaseMilestone.create({
        data: { releaseId: release.id, milestoneId: second?.id ?? 0 },
      });
    }

    expect((await transfer(ada, moved.id, acme.id)).status).toBe(201);

    for (const { id } of projects) {
      const shown = await as(root).get(`/projects/${id}/issues`);
      const names = ['copied', 'kept', 'known'];
      expect(shown.body).toMatchObject([
        { labels: names, milestone: { title: 'v2', project_id: id, iid: 1 } },
        { labels: names, milestone: { title: 'v1', group_id: acme.id } },
      ]);
      const own = await db.label.findMany({ where: { projectId: id }, select: { name: true } });
      expect(own).toEqual([{ name: 'copied' }]);
      const released = await db.releaseMilestone.findMany({
        where: { release: { projectId: id } },
        select: { milestone: { select: { title: true, projectId: true } } },
      });
      expect(released).toEqual([{ milestone: { title: 'v2', projectId: id } }]);
    }
    expect(await as(root).get(`/groups/${old.id}/labels`)).toMatchObject({
      body: [{ open_issues_count: 0 }, { open_issues_count: 0 }],
    });
  });
});

describe('concurrent transfers', () => {
  /** Groups and projects below a group whose path, route, parent or ancestors do not fit their place. */
  const listStray = async (ids: readonly number[]) => {
    const groups = await db.namespace.findMany({
      where: { ancestorIds: { hasSome: [...ids] } },
      include: { route: true, parent: true },
    });
    const projects = await db.project.findMany({
      where: { namespaceId: { in: groups.map(({ id }) => id) } },
      include: { route: true, namespace: true },
    });
    const isStray = (
      { path, fullPath, route }: (typeof groups)[number] | (typeof projects)[number],
      above?: string,
    ) =>
      fullPath !== (above === undefined ? path : `${above}/${path}`) ||
      route?.key !== fullPath.toLowerCase();
    return [
      ...groups.filter(
        (group) =>
          isStray(group, group.parent?.fullPath) ||
          group.ancestorIds.join() !== [...(group.parent?.ancestorIds ?? []), group.id].join(),
      ),
      ...projects.filter((project) => isStray(project, project.namespace.fullPath)),
    ].map(({ fullPath }) => fullPath);
  };

  test('of two groups into each other: one is moved', async () => {
    for (let round = 0; round < 4; round += 1) {
      const [left, right] = [
        await seed.group(`left-${round}`, { owner: ada }),
        await seed.group(`right-${round}`, { owner: ada }),
      ];
      const responses = await Promise.all([
        transfer(ada, left.id, right.id),
        transfer(ada, right.id, left.id),
      ]);
      expect(responses.map(({ status }) => status).toSorted()).toEqual([201, 400]);
      expect(responses).toContainEqual(failed('Cannot transfer group to one of its subgroup.'));
      expect(await listStray([left.id, right.id])).toEqual([]);
    }
  });

  test('of a group beside renames and new content leave every path right', async () => {
    // the group below has the lower id, contrary to groups created below others
    const mobile = await seed.group('mobile', { owner: ada });
    const inner = await seed.group('mobile/inner');
    const app = await seed.project('mobile/inner/app');
    const places = [
      await seed.group('place-0', { owner: ada }),
      await seed.group('place-1', { owner: ada }),
    ] as const;
    for (let round = 0; round < 6; round += 1) {
      const place = places[round % 2] ?? places[0];
      const responses = await Promise.all([
        transfer(ada, mobile.id, place.id),
        as(ada).post('/projects', { path: `new-${round}`, namespace_id: inner.id }),
        as(ada).post('/groups', { name: `g${round}`, path: `g${round}`, parent_id: inner.id }),
        as(ada).put(`/groups/${place.id}`, { path: `place-${round % 2}-${round}` }),
        as(ada).put(`/groups/${inner.id}`, { path: `inner-${round}` }),
        as(ada).put(`/projects/${app.id}`, { path: `app-${round}` }),
      ]);
      expect(responses.map(({ status }) => status)).toEqual([201, 201, 201, 200, 200, 200]);
      expect((await as(ada).get(`/projects/${app.id}`)).body).toMatchObject({
        path_with_namespace: `place-${round % 2}-${round}/mobile/inner-${round}/app-${round}`,
      });
      expect(await listStray([...places.map(({ id }) => id), mobile.id])).toEqual([]);
    }
  });

  test('of a group and one of its projects leave the project where it was moved', async () => {
    const group = await seed.group('carried', { owner: ada });
    const places = [await seed.group('goal', { owner: ada }), acme] as const;
    for (let round = 0; round < 4; round += 1) {
      const project = await seed.project(`${await path(group.id)}/p${round}`);
      const responses = await Promise.all([
        transfer(ada, group.id, places[round % 2]?.id),
        as(root).post(`/groups/${places[0].id}/projects/${project.id}`),
      ]);
      expect(responses.map(({ status }) => status)).toEqual([201, 201]);
      expect(await listStray([group.id, places[0].id])).toEqual([]);
    }
  });

  const path = async (id: number) =>
    (await db.namespace.findUniqueOrThrow({ where: { id } })).fullPath;

  test('and removals leave no content', async () => {
    for (let round = 0; round < 4; round += 1) {
      const group = await seed.group(`doomed-${round}`, { owner: ada });
      await seed.project(`doomed-${round}/app`);
      const goal = await seed.group(`doom-${round}`, { owner: ada });
      const [moved, removed] = await Promise.all([
        transfer(ada, group.id, goal.id),
        as(ada).delete(`/groups/${goal.id}`),
      ]);
      expect(removed.status).toBe(204);
      expect([201, 404]).toContain(moved.status);
      const remaining = await db.namespace.count({ where: { id: group.id, isRemoved: false } });
      expect(remaining).toBe(moved.status === 201 ? 0 : 1);
      expect(await listStray(remaining ? [group.id] : [])).toEqual([]);
    }
  });
});
