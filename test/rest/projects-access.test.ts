import { describe, expect, test } from 'vitest';
import type { TestUser } from '../support/seed.ts';
import { basicProjectShape, masterFields, projectShape, refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, url, db } = await world();

const guest = await seed.user('guest');
const reporter = await seed.user('reporter');
const developer = await seed.user('developer');
const master = await seed.user('master');
const groupGuest = await seed.user('groupguest');
const groupReporter = await seed.user('groupreporter');
const groupDeveloper = await seed.user('groupdeveloper');
const groupMaster = await seed.user('groupmaster');
const groupOwner = await seed.user('groupowner');
const inParentGroup = await seed.user('above');
const inSubgroup = await seed.user('below');
const inSiblingGroup = await seed.user('beside');
const inSharedGroup = await seed.user('shared');
const owner = await seed.user('owner');
const otherUser = await seed.user('outsider');
const former = await seed.user('former');
const external = await seed.user('external', { isExternal: true });
const administrator = await seed.user('chief', { isAdmin: true });

const publicVisibility = { visibility: 'public' };
const top = await seed.group('top', { reporter: inParentGroup }, publicVisibility);
const tools = await seed.group(
  'top/tools',
  {
    guest: groupGuest,
    reporter: groupReporter,
    developer: groupDeveloper,
    master: groupMaster,
    owner: groupOwner,
  },
  publicVisibility,
);
await seed.group('top/tools/below', { master: inSubgroup }, publicVisibility);
await seed.group('top/beside', { master: inSiblingGroup }, publicVisibility);
const friends = await seed.group('friends', { master: inSharedGroup });

/** A project in which the users above have the roles of their names. */
async function projectOf(visibility: string) {
  const { id } = await seed.project(
    `top/tools/${visibility}`,
    {
      guest,
      reporter,
      developer,
      master: [master, former],
    },
    { visibility },
  );
  await db.projectGroupLink.create({
    data: { projectId: id, namespaceId: friends.id, accessLevel: 40 },
  });
  await db.member.updateMany({
    where: { projectId: id, userId: former.id },
    data: { expiresAt: new Date('2017-01-01') },
  });
  await db.project.update({
    where: { id },
    data: { importStatus: 'failed', importError: 'no such host', openIssuesCount: 3 },
  });
  return {
    id,
    fullPath: `top/tools/${visibility}`,
    visibility,
    creatorId: root.id,
    namespaceId: tools.id,
    parentId: top.id,
  };
}

const projects = {
  private: await projectOf('private'),
  internal: await projectOf('internal'),
  public: await projectOf('public'),
};
type Visibility = keyof typeof projects;

type View = 'nothing' | 'short' | 'full' | 'as master';
type Levels = readonly [number | null, number | null];

const none: Levels = [null, null];

// caller, what it sees of a private, an internal and a public project, levels in project and group
const table: [string, TestUser | null, View, View, View, Levels][] = [
  ['anonymous', null, 'nothing', 'nothing', 'short', none],
  ['an external user', external, 'nothing', 'nothing', 'full', none],
  ['another user', otherUser, 'nothing', 'full', 'full', none],
  ['a former master', former, 'nothing', 'full', 'full', none],
  ['a master of the subgroup', inSubgroup, 'nothing', 'full', 'full', none],
  ['a master of a sibling group', inSiblingGroup, 'nothing', 'full', 'full', none],
  ['a guest', guest, 'full', 'full', 'full', [10, null]],
  ['a reporter', reporter, 'full', 'full', 'full', [20, null]],
  ['a developer', developer, 'full', 'full', 'full', [30, null]],
  ['a master', master, 'as master', 'as master', 'as master', [40, null]],
  ['a guest of the group', groupGuest, 'full', 'full', 'full', [null, 10]],
  ['a reporter of the group', groupReporter, 'full', 'full', 'full', [null, 20]],
  ['a reporter of the parent group', inParentGroup, 'full', 'full', 'full', [null, 20]],
  ['a developer of the group', groupDeveloper, 'full', 'full', 'full', [null, 30]],
  ['a master of the group', groupMaster, 'as master', 'as master', 'as master', [null, 40]],
  ['an owner of the group', groupOwner, 'as master', 'as master', 'as master', [null, 50]],
  ['a master by a share', inSharedGroup, 'as master', 'as master', 'as master', none],
  ['an administrator', administrator, 'as master', 'as master', 'as master', none],
];

const cases = table.flatMap(([name, caller, ofPrivate, ofInternal, ofPublic, levels]) => [
  [name, 'private' as Visibility, caller, ofPrivate, levels] as const,
  [name, 'internal' as Visibility, caller, ofInternal, levels] as const,
  [name, 'public' as Visibility, caller, ofPublic, levels] as const,
]);

const link = { group_id: friends.id, group_name: 'friends', group_access_level: 40 };

/** The project in a list, in the given view. */
function shapeOf(visibility: Visibility, view: View, levels: Levels) {
  if (view === 'short') return basicProjectShape(url, projects[visibility]);
  return {
    ...projectShape(url, projects[visibility], levels),
    import_status: 'failed',
    open_issues_count: 3,
    ...(view === 'as master' && { import_error: 'no such host', shared_with_groups: [link] }),
  };
}

describe('GET /projects/:id', () => {
  test.each(cases)(
    'for %s, a %s project is visible according to the role',
    async (_name, visibility, caller, view, levels) => {
      const expected =
        view === 'nothing'
          ? refused.missing('Project')
          : {
              status: 200,
              body: {
                ...shapeOf(visibility, view, levels),
                ...(view === 'as master' && { runners_token: masterFields.runners_token }),
              },
            };
      const { id, fullPath } = projects[visibility];
      expect(await as(caller).get(`/projects/${id}`)).toEqual(expected);
      expect(await as(caller).get(`/projects/${encodeURIComponent(fullPath)}`)).toEqual(expected);
    },
  );
});

describe('GET /projects', () => {
  test.each(cases)(
    'for %s, a %s project is listed only if visible',
    async (_name, visibility, caller, view, levels) => {
      expect(await as(caller).get(`/projects?search=${visibility}`)).toEqual({
        status: 200,
        body: view === 'nothing' ? [] : [shapeOf(visibility, view, levels)],
      });
    },
  );
});

describe('a personal project', async () => {
  const { id } = await seed.project('owner/diary', { guest });
  const space = await db.namespace.findUniqueOrThrow({ where: { ownerId: owner.id } });
  const traits = {
    id,
    fullPath: 'owner/diary',
    creatorId: root.id,
    namespaceId: space.id,
    owner,
  };

  test('is shown with its owner', async () => {
    expect(await as(owner).get(`/projects/${id}`)).toEqual({
      status: 200,
      body: { ...projectShape(url, traits, [40, null]), ...masterFields },
    });
    expect(await as(guest).get(`/projects/${id}`)).toEqual({
      status: 200,
      body: projectShape(url, traits, [10, null]),
    });
    expect(await as(administrator).get(`/projects/${id}`)).toEqual({
      status: 200,
      body: { ...projectShape(url, traits, none), ...masterFields },
    });
  });

  test('is accessible to its owner even without a membership', async () => {
    await db.member.deleteMany({ where: { projectId: id, userId: owner.id } });
    expect(await as(owner).get(`/projects/${id}`)).toEqual({
      status: 200,
      body: { ...projectShape(url, traits, none), ...masterFields },
    });
    expect((await as(owner).put(`/projects/${id}`, { name: 'Diary' })).status).toBe(200);
  });
});

describe('access levels', () => {
  test('the higher of two levels applies, and both are shown', async () => {
    const { id } = await seed.project('top/tools/twice', { guest: groupMaster });
    const { body } = await as(groupMaster).get(`/projects/${id}`);
    expect(body).toMatchObject({
      permissions: {
        project_access: { access_level: 10, notification_level: 3 },
        group_access: { access_level: 40, notification_level: 3 },
      },
      ...masterFields,
    });
  });

  test('the runners token is in no list', async () => {
    const listings = ['/projects', `/groups/${tools.id}/projects`, '/users/owner/projects'];
    for (const listing of listings) {
      const { body } = await as(administrator).get(listing);
      expect(JSON.stringify(body)).toContain('"import_error"');
      expect(JSON.stringify(body)).not.toContain('runners_token');
    }
  });
});
