import { graphql } from '../../../schema/client/graphql.ts';
import { pathNotFound } from '../../../schema/kernel/errors.ts';
import { addressIn } from '../frame/address-in.ts';
import type { ProjectPage } from '../frame/sections.ts';
import { numberIn } from '../kernel/addresses.ts';
import type { Visit } from '../kernel/page.ts';

const labelOf = graphql(`query LabelOfBoardList($project: ID!, $board: Int!, $id: Int!) {
  boardList(project: $project, board: $board, id: $id) { label { name } }
}`);

const labelsOnBoard = graphql(`query LabelsOnBoard($project: ID!, $board: Int!, $perPage: Int!) {
  boardLists(project: $project, board: $board, perPage: $perPage) { nodes { label { name } } }
}`);

const move = graphql(`mutation MoveCard($project: ID!, $iid: Int!, $change: IssueChange!) {
  updateIssue(project: $project, iid: $iid, change: $change) { iid }
}`);

const addList = graphql(`mutation AddBoardList($project: ID!, $board: Int!, $labelId: Int!) {
  createBoardList(project: $project, board: $board, labelId: $labelId) { id }
}`);

const moveList = graphql(`mutation MoveShownList(
  $project: ID!, $board: Int!, $id: Int!, $position: Int!
) {
  moveBoardList(project: $project, board: $board, id: $id, position: $position) { id }
}`);

const removeList = graphql(`mutation RemoveBoardList($project: ID!, $board: Int!, $id: Int!) {
  deleteBoardList(project: $project, board: $board, id: $id)
}`);

interface BoardRef {
  readonly project: string;
  readonly board: number;
}

/** The names of the label of a list; none for the backlog and the closed issues. */
async function labelsOf(visit: Visit, board: BoardRef, key: string): Promise<string[]> {
  if (key === 'backlog' || key === 'closed') return [];
  const { boardList } = await visit.ask(labelOf, { ...board, id: numberIn(key) });
  return [boardList.label.name];
}

/** Lists whose labels an issue loses when it moves to the backlog. */
const mostLists = 100;

/** The labels that an issue loses: that of its list, and in the backlog it has none of the board. */
async function lostLabels(visit: Visit, board: BoardRef, from: string, to: string) {
  // closed issues keep their labels, with which they return to their lists
  if (to === 'closed') return [];
  if (to !== 'backlog') return labelsOf(visit, board, from);
  const { boardLists } = await visit.ask(labelsOnBoard, { ...board, perPage: mostLists });
  return boardLists.nodes.map(({ label }) => label.name);
}

/** Moves an issue between lists: changes their labels, and closes or reopens it. */
async function moveCard(visit: Visit, board: BoardRef): Promise<void> {
  const { iid = '', from = '', to = '' } = visit.form;
  const [removeLabels, addLabels] = await Promise.all([
    lostLabels(visit, board, from, to),
    labelsOf(visit, board, to),
  ]);
  const isReopened = from === 'closed' && to !== 'closed';
  const change = {
    removeLabels: removeLabels.filter((name) => !addLabels.includes(name)),
    addLabels,
    ...(to === 'closed' && { stateEvent: 'close' as const }),
    ...(isReopened && { stateEvent: 'reopen' as const }),
  };
  await visit.ask(move, { project: board.project, iid: numberIn(iid), change });
}

/** Handles the forms of a board: `1/move`, `1/lists`, `1/lists/2/move`, `1/lists/2/delete`. */
export const submitToBoards: ProjectPage = async (visit, project, rest) => {
  const [number = '', word, list, action, more] = rest.split('/');
  const board = { project: String(project.id), board: numberIn(number) };
  if (word === 'move' && list === undefined) await moveCard(visit, board);
  else if (word !== 'lists' || more !== undefined) throw pathNotFound();
  else if (list === undefined) {
    await visit.ask(addList, { ...board, labelId: numberIn(visit.form.label_id ?? '') });
  } else if (action === 'move') {
    const position = Number.parseInt(visit.form.position ?? '', 10);
    if (!(position >= 0 && position < 1_000_000)) throw pathNotFound();
    await visit.ask(moveList, { ...board, id: numberIn(list), position });
  } else if (action === 'delete') await visit.ask(removeList, { ...board, id: numberIn(list) });
  else throw pathNotFound();
  return { redirect: addressIn(visit, project, 'boards', number) };
};
