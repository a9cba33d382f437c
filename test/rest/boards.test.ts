import { beforeEach, describe, expect, test } from 'vitest';
import type { TestUser } from '../support/seed.ts';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, url, db } = await world();
const owner = await seed.user('olga');
const master = await seed.user('mia');
const developer = await seed.user('dan');
const reporter = await seed.user('rita');
const guest = await seed.user('gus');
const outsider = await seed.user('sam');
const external = await seed.user('eve', { isExternal: true });

const acme = await seed.group('acme', { owner }, { visibility: 'public' });
const tools = await seed.group('acme/tools');
const other = await seed.group('other');
const roles = { master, developer, reporter, guest };
const app = await seed.project('acme/tools/app', roles);
const open = await seed.project('acme/open', roles, { visibility: 'public' });
const inner = await seed.project('acme/inner', {}, { visibility: 'internal' });
const withoutIssues = await seed.project('acme/silent', roles, { issues_enabled: false });

const boardOf = ({ id }: { readonly id: number }) =>
  db.board.findUniqueOrThrow({ where: { projectId: id } });
const board = await boardOf(app);
const openBoard = await boardOf(open);
const boards = `/projects/${app.id}/boards`;
const lists = `${boards}/${board.id}/lists`;

const createLabel = (name: string, where: { projectId: number } | { namespaceId: number }) =>
  db.label.create({ data: { name, color: '#ff0000', description: `About ${name}`, ...where } });
const bug = await createLabel('bug', { projectId: app.id });
const later = await db.label.create({
  data: { name: 'später 🕐', color: '#0f0', projectId: app.id },
});
const nearby = await createLabel('nearby', { namespaceId: tools.id });
const everywhere = await createLabel('everywhere', { namespaceId: acme.id });
const foreign = await createLabel('foreign', { namespaceId: other.id });
const openLabel = await createLabel('open', { projectId: open.id });

type Labelled = Awaited<ReturnType<typeof createLabel>>;

/** Stores lists in the given order; their positions have gaps, as after removals. */
async function createLists(...labels: readonly Labelled[]) {
  const rows = [];
  for (const [index, { id }] of labels.entries()) {
    const data = { boardId: board.id, labelId: id, position: 3 * index + 1 };
    rows.push(await db.boardList.create({ data }));
  }
  return rows.map(({ id }) => id);
}

const shape = (id: number | undefined, { id: labelId, ...label }: Labelled, position: number) => ({
  id,
  label: { id: labelId, name: label.name, color: label.color, description: label.description },
  position,
});

const added = (label: Labelled, position: number) => ({
  status: 201,
  body: { ...shape(0, label, position), id: expect.any(Number) },
});

const fetchOrder = async (viewer: TestUser | null = root) => {
  const { body } = await as(viewer).get(lists);
  return (body as { id: number; position: number }[]).map(({ id, position }) => [id, position]);
};

const unmoved = { status: 400, body: { message: { error: 'List could not be moved!' } } };
const unlabelled = { status: 400, body: { message: { error: 'Label not found!' } } };
const noContent = { status: 204, body: null };
const nonMembers = [outsider, external];
const members = [guest, reporter, developer, master, owner, root];

beforeEach(async () => {
  await db.boardList.deleteMany();
});

describe('GET /projects/:id/boards', () => {
  test('shows the board with its lists in their order', async () => {
    const [first, second, third] = await createLists(later, bug, everywhere);
    const body = [
      {
        id: board.id,
        lists: [shape(first, later, 0), shape(second, bug, 1), shape(third, everywhere, 2)],
      },
    ];
    for (const person of members) {
      expect(await as(person).get(boards)).toEqual({ status: 200, body });
    }
    const byPath = '/projects/acme%2Ftools%2Fapp/boards';
    expect(await as(guest).get(byPath)).toEqual({ status: 200, body });
  });

  test('shows a board without lists', async () => {
    const body = [{ id: openBoard.id, lists: [] }];
    expect(await as(guest).get(`/projects/${open.id}/boards`)).toEqual({ status: 200, body });
  });

  test('is paginated', async () => {
    const response = await as(guest).fetch(`${boards}?per_page=1&page=2`);
    expect(await response.json()).toEqual([]);
    expect(response.headers.get('X-Total')).toBe('1');
    expect(response.headers.get('X-Page')).toBe('2');
    expect(response.headers.get('Link')).toBe(
      [
        `<${url}/api/v4${boards}?page=1&per_page=1>; rel="first"`,
        `<${url}/api/v4${boards}?page=1&per_page=1>; rel="last"`,
      ].join(', '),
    );
  });

  test('anonymous users get 401, even for a public project', async () => {
    for (const { id } of [app, open]) {
      expect(await as(null).get(`/projects/${id}/boards`)).toEqual(refused.anonymous);
    }
  });

  test('a private project responds with 404 to non-members', async () => {
    for (const person of nonMembers) {
      expect(await as(person).get(boards)).toEqual(refused.missing('Project'));
    }
    expect(await as(root).get('/projects/0/boards')).toEqual(refused.missing('Project'));
  });

  test('a public project is readable by all users, an internal project not by external users', async () => {
    for (const person of nonMembers) {
      expect((await as(person).get(`/projects/${open.id}/boards`)).status).toBe(200);
    }
    const path = `/projects/${inner.id}/boards`;
    expect((await as(outsider).get(path)).status).toBe(200);
    expect(await as(external).get(path)).toEqual(refused.missing('Project'));
  });

  test('a project with issues disabled has no boards', async () => {
    expect(await as(master).get(`/projects/${withoutIssues.id}/boards`)).toEqual(refused.forbidden);
    expect(await as(outsider).get(`/projects/${withoutIssues.id}/boards`)).toEqual(
      refused.missing('Project'),
    );
  });
});

describe('GET /projects/:id/boards/:board_id', () => {
  test('shows the board', async () => {
    const [id] = await createLists(bug);
    const body = { id: board.id, lists: [shape(id, bug, 0)] };
    expect(await as(guest).get(`${boards}/${board.id}`)).toEqual({ status: 200, body });
  });

  test('requires read access to the project', async () => {
    expect(await as(null).get(`${boards}/${board.id}`)).toEqual(refused.anonymous);
    expect(await as(outsider).get(`${boards}/${board.id}`)).toEqual(refused.missing('Project'));
  });

  test('a board of another project responds with 404', async () => {
    for (const id of [openBoard.id, 0, 2 ** 40]) {
      expect(await as(root).get(`${boards}/${id}`)).toEqual(refused.missing('Board'));
    }
    expect(await as(root).get(`${boards}/x`)).toEqual(refused.parameter('board_id is invalid'));
  });
});

describe('GET /projects/:id/boards/:board_id/lists', () => {
  test('shows a page of the lists in their order', async () => {
    const [first, second, third] = await createLists(nearby, bug, later);
    const body = [shape(first, nearby, 0), shape(second, bug, 1), shape(third, later, 2)];
    for (const person of members) {
      expect(await as(person).get(lists)).toEqual({ status: 200, body });
    }
    const response = await as(guest).fetch(`${lists}?per_page=2&page=2`);
    expect(await response.json()).toEqual([shape(third, later, 2)]);
    expect(response.headers.get('X-Total')).toBe('3');
    expect(response.headers.get('X-Total-Pages')).toBe('2');
  });

  test('requires read access to the project', async () => {
    expect(await as(null).get(lists)).toEqual(refused.anonymous);
    for (const person of nonMembers) {
      expect(await as(person).get(lists)).toEqual(refused.missing('Project'));
    }
    const path = `/projects/${open.id}/boards/${openBoard.id}/lists`;
    expect(await as(null).get(path)).toEqual(refused.anonymous);
    expect(await as(external).get(path)).toEqual({ status: 200, body: [] });
  });

  test('a board of another project responds with 404', async () => {
    for (const id of [openBoard.id, 0, -1, 2 ** 40]) {
      expect(await as(root).get(`${boards}/${id}/lists`)).toEqual(refused.missing('Board'));
    }
    expect(await as(root).get(`${boards}/first/lists`)).toEqual(
      refused.parameter('board_id is invalid'),
    );
  });
});

describe('GET /projects/:id/boards/:board_id/lists/:list_id', () => {
  test('shows a list', async () => {
    const [, second] = await createLists(bug, later);
    for (const person of members) {
      const body = shape(second, later, 1);
      expect(await as(person).get(`${lists}/${second}`)).toEqual({ status: 200, body });
    }
  });

  test('requires read access to the project', async () => {
    const [id] = await createLists(bug);
    expect(await as(null).get(`${lists}/${id}`)).toEqual(refused.anonymous);
    for (const person of nonMembers) {
      expect(await as(person).get(`${lists}/${id}`)).toEqual(refused.missing('Project'));
    }
  });

  test('a list of another board, or an unknown one, responds with 404', async () => {
    const [id] = await createLists(bug);
    const otherLists = `/projects/${open.id}/boards/${openBoard.id}/lists`;
    expect(await as(root).get(`${otherLists}/${id}`)).toEqual(refused.record);
    expect(await as(root).get(`${lists}/0`)).toEqual(refused.record);
    expect(await as(root).get(`${lists}/x`)).toEqual(refused.parameter('list_id is invalid'));
    expect(await as(root).get(`${boards}/${openBoard.id}/lists/${id}`)).toEqual(
      refused.missing('Board'),
    );
  });
});

describe('POST /projects/:id/boards/:board_id/lists', () => {
  test('reporters and higher levels append lists', async () => {
    const last = await createLabel('last', { namespaceId: acme.id });
    const users = [reporter, developer, master, owner, root];
    for (const [index, newLabel] of [bug, later, nearby, everywhere, last].entries()) {
      const response = await as(users[index] ?? root).post(lists, { label_id: newLabel.id });
      expect(response).toEqual(added(newLabel, index));
    }
  });

  test('a label of neither the project nor an ancestor group is invalid', async () => {
    for (const id of [foreign.id, openLabel.id, 0, -1, 2 ** 40]) {
      expect(await as(reporter).post(lists, { label_id: id })).toEqual(unlabelled);
    }
  });

  test('a label can have only one list', async () => {
    await createLists(bug);
    const alreadyTaken = refused.invalid({ label_id: ['has already been taken'] });
    expect(await as(reporter).post(lists, { label_id: bug.id })).toEqual(alreadyTaken);
  });

  test('the label is required', async () => {
    expect(await as(reporter).post(lists)).toEqual(refused.parameter('label_id is missing'));
    expect(await as(reporter).post(lists, { label_id: 'bug' })).toEqual(
      refused.parameter('label_id is invalid'),
    );
    expect(await as(outsider).post(lists)).toEqual(refused.parameter('label_id is missing'));
  });

  test('users below reporter get 403', async () => {
    const body = { label_id: bug.id };
    expect(await as(null).post(lists)).toEqual(refused.anonymous);
    expect(await as(guest).post(lists, body)).toEqual(refused.forbidden);
    for (const person of nonMembers) {
      expect(await as(person).post(lists, body)).toEqual(refused.missing('Project'));
      const path = `/projects/${open.id}/boards/${openBoard.id}/lists`;
      expect(await as(person).post(path, { label_id: openLabel.id })).toEqual(refused.forbidden);
    }
    expect(await fetchOrder()).toEqual([]);
  });

  test('a board of another project responds with 404', async () => {
    expect(
      await as(reporter).post(`${boards}/${openBoard.id}/lists`, { label_id: bug.id }),
    ).toEqual(refused.missing('Board'));
  });
});

describe('PUT /projects/:id/boards/:board_id/lists/:list_id', () => {
  test('moves a list and shifts those in between', async () => {
    const [a, b, c, d] = await createLists(bug, later, nearby, everywhere);
    const steps = [
      { user: reporter, list: a, label: bug, position: 2, after: [b, c, a, d] },
      { user: developer, list: d, label: everywhere, position: 0, after: [d, b, c, a] },
      { user: master, list: b, label: later, position: 2, after: [d, c, b, a] },
      { user: owner, list: a, label: bug, position: 2, after: [d, c, a, b] },
      { user: root, list: d, label: everywhere, position: 3, after: [c, a, b, d] },
    ];
    for (const { user, list, label, position, after } of steps) {
      const body = shape(list, label, position);
      expect(await as(user).put(`${lists}/${list}`, { position })).toEqual({ status: 200, body });
      expect(await fetchOrder()).toEqual(after.map((id, index) => [id, index]));
    }
  });

  test('a list cannot be moved to its own position or out of range', async () => {
    const [, second] = await createLists(bug, later, nearby);
    for (const position of [1, -1, 3, 2 ** 31 - 1]) {
      expect(await as(reporter).put(`${lists}/${second}`, { position })).toEqual(unmoved);
    }
  });

  test('the position is required', async () => {
    const [first] = await createLists(bug, later);
    const path = `${lists}/${first}`;
    expect(await as(reporter).put(path)).toEqual(refused.parameter('position is missing'));
    for (const position of ['first', 1.5, 2 ** 40]) {
      expect(await as(reporter).put(path, { position })).toEqual(
        refused.parameter('position is invalid'),
      );
    }
  });

  test('users below reporter get 403', async () => {
    const [first, second] = await createLists(bug, later);
    const path = `${lists}/${first}`;
    const body = { position: 1 };
    expect(await as(null).put(path, body)).toEqual(refused.anonymous);
    expect(await as(guest).put(path, body)).toEqual(refused.forbidden);
    for (const person of nonMembers) {
      expect(await as(person).put(path, body)).toEqual(refused.missing('Project'));
    }
    expect(await fetchOrder()).toEqual([
      [first, 0],
      [second, 1],
    ]);
  });

  test('a list of another board, or an unknown one, responds with 404', async () => {
    const [first] = await createLists(bug, later);
    expect(await as(reporter).put(`${lists}/0`, { position: 1 })).toEqual(refused.record);
    expect(
      await as(reporter).put(`${boards}/${openBoard.id}/lists/${first}`, { position: 1 }),
    ).toEqual(refused.missing('Board'));
  });
});

describe('DELETE /projects/:id/boards/:board_id/lists/:list_id', () => {
  test('masters, owners and administrators remove lists, and the later lists move up', async () => {
    const [a, b, c, d] = await createLists(bug, later, nearby, everywhere);
    expect(await as(master).delete(`${lists}/${b}`)).toEqual(noContent);
    expect(await fetchOrder()).toEqual([a, c, d].map((id, index) => [id, index]));
    expect(await as(owner).delete(`${lists}/${a}`)).toEqual(noContent);
    expect(await fetchOrder()).toEqual([c, d].map((id, index) => [id, index]));
    expect(await as(root).delete(`${lists}/${d}`)).toEqual(noContent);
    expect(await fetchOrder()).toEqual([[c, 0]]);
    expect(await as(root).get(`${lists}/${d}`)).toEqual(refused.record);
  });

  test('the owner of a personal project removes lists', async () => {
    const own = await seed.project('rita/own');
    const { id } = await boardOf(own);
    const { id: labelId } = await createLabel('own', { projectId: own.id });
    const list = await db.boardList.create({ data: { boardId: id, labelId, position: 0 } });
    const path = `/projects/${own.id}/boards/${id}/lists/${list.id}`;
    expect(await as(reporter).delete(path)).toEqual(noContent);
  });

  test('keeps the row, and the label can get a list again', async () => {
    const [first] = await createLists(bug, later);
    expect(await as(master).delete(`${lists}/${first}`)).toEqual(noContent);
    expect(await db.boardList.findUnique({ where: { id: first ?? 0 } })).toMatchObject({
      boardId: board.id,
      labelId: bug.id,
      removedAt: expect.any(Date),
    });
    expect(await as(master).post(lists, { label_id: bug.id })).toEqual(added(bug, 1));
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const response = await as(root).fetch(`${lists}/${first}?position=1`, { method });
      expect([response.status, await response.json()]).toEqual([404, refused.record.body]);
    }
  });

  test('users below master get 403', async () => {
    const [first] = await createLists(bug);
    expect(await as(null).delete(`${lists}/${first}`)).toEqual(refused.anonymous);
    for (const person of [guest, reporter, developer]) {
      expect(await as(person).delete(`${lists}/${first}`)).toEqual(refused.forbidden);
    }
    for (const person of nonMembers) {
      expect(await as(person).delete(`${lists}/${first}`)).toEqual(refused.missing('Project'));
    }
    expect(await fetchOrder()).toEqual([[first, 0]]);
  });

  test('with If-Unmodified-Since keeps a list that was changed since', async () => {
    const [first] = await createLists(bug);
    const response = await as(master).fetch(`${lists}/${first}`, {
      method: 'DELETE',
      headers: { 'If-Unmodified-Since': 'Thu, 01 Jan 2015 00:00:00 GMT' },
    });
    expect(response.status).toBe(412);
    expect(await fetchOrder()).toEqual([[first, 0]]);
  });

  test('a list of another board, or an unknown one, responds with 404', async () => {
    const [first] = await createLists(bug);
    expect(await as(root).delete(`${lists}/0`)).toEqual(refused.record);
    expect(await as(root).delete(`${boards}/${openBoard.id}/lists/${first}`)).toEqual(
      refused.missing('Board'),
    );
  });
});
