import { describe, expect, test } from 'vitest';
import { withoutEndpoint } from '../../fixtures/without-endpoint.ts';
import { methodsOf, recordedClient } from '../../support/gitbeaker.ts';
import { world } from '../../support/world.ts';

const { seed, url, db } = await world();
const ada = await seed.user('ada');
const { client, called } = recordedClient(url, ada.token);

const { id } = await seed.project('ada/app');
const board = await db.board.findUniqueOrThrow({ where: { projectId: id } });
const createLabel = (name: string) =>
  db.label.create({ data: { projectId: id, name, color: '#00ff00' } });
const bug = await createLabel('bug');
const idea = await createLabel('idea');

describe('ProjectIssueBoards', () => {
  test('are listed and shown, and their lists are created, moved and removed', async () => {
    const { ProjectIssueBoards } = client;
    const empty = { id: board.id, lists: [] };
    expect(await ProjectIssueBoards.all(id)).toEqual([empty]);
    expect(await ProjectIssueBoards.show('ada/app', board.id)).toEqual(empty);

    const list = ({ id: labelId, name }: typeof bug, position: number) => ({
      id: expect.any(Number),
      label: { id: labelId, name, color: '#00ff00', description: null },
      position,
    });
    const add = (labelId: number) => ProjectIssueBoards.createList(id, board.id, { labelId });
    const first = await add(bug.id);
    expect(first).toEqual(list(bug, 0));
    expect(await add(idea.id)).toEqual(list(idea, 1));
    await expect(add(bug.id)).rejects.toThrow('has already been taken');
    await expect(add(0)).rejects.toThrow('Label not found!');

    expect(await ProjectIssueBoards.editList(id, board.id, first.id, 1)).toEqual({
      ...list(bug, 1),
      id: first.id,
    });
    await expect(ProjectIssueBoards.editList(id, board.id, first.id, 1)).rejects.toThrow(
      'List could not be moved!',
    );
    expect(await ProjectIssueBoards.showList(id, board.id, first.id)).toEqual(list(bug, 1));
    expect(await ProjectIssueBoards.allLists(id, board.id)).toEqual([list(idea, 0), list(bug, 1)]);

    await ProjectIssueBoards.removeList(id, board.id, first.id);
    expect(await ProjectIssueBoards.all(id)).toEqual([{ id: board.id, lists: [list(idea, 0)] }]);
    await expect(ProjectIssueBoards.showList(id, board.id, first.id)).rejects.toThrow(
      '404 Not found',
    );
  });
});

test('every method of ProjectIssueBoards was called, or has no endpoint in Millrace', () => {
  const missing = methodsOf(client, 'ProjectIssueBoards').filter((method) => !called.has(method));
  expect(missing).toEqual(missing.filter((method) => method in withoutEndpoint));
  const listed = Object.keys(withoutEndpoint).filter((method) => called.has(method));
  expect(listed).toEqual([]);
});
