import { pathNotFound } from '../../../schema/kernel/errors.ts';
import { addressIn } from '../frame/address-in.ts';
import { type Project, projectPage } from '../frame/project-head.ts';
import type { ProjectPage, ProjectSection } from '../frame/sections.ts';
import { numberIn } from '../kernel/addresses.ts';
import { formOf, type Option, select } from '../kernel/forms.ts';
import { type Html, html } from '../kernel/html.ts';
import { pageOf, pager } from '../kernel/listing.ts';
import type { Visit } from '../kernel/page.ts';
import { actionForm } from '../kernel/parts.ts';
import { labelledIn, labelMark } from '../labels/label-mark.ts';
import { submitToBoards } from './board-actions.ts';
import { type Column, columnMarkup } from './columns.ts';
import { boardIdOf, listsPerPage, readBoard, type ShownBoard } from './read-board.ts';

/** The board of a project, with the first cards of each list. */
const showBoard: ProjectPage = async (visit, project, rest) => {
  if (rest.includes('/')) throw pathNotFound();
  const id = await boardIdOf(visit, project, rest === '' ? null : numberIn(rest));
  const page = pageOf(visit);
  const board = await readBoard(visit, project, id, page);
  const { access } = board.project;
  const address = addressIn(visit, project, 'boards', String(id));
  const columns = columnsOf(visit, project, board, address);
  const targets: readonly Option[] = columns.map(({ key, name }) => [key, name] as const);
  const place = { project, address, targets: access.canAdministerIssues ? targets : null };
  const main = html`<div class="bar"><h1>Board</h1>${
    access.canArrangeBoardLists && addListForm(visit, board, address)
  }</div>
<div class="board" role="region" aria-label="Board" tabindex="0">${columns.map((column) => columnMarkup(visit, column, place))}</div>
${pager({ address, page, total: board.boardLists.total, size: listsPerPage })}`;
  return { ...projectPage(visit, project, 'boards', 'Board', main), isWide: true };
};

function columnsOf(visit: Visit, project: Project, board: ShownBoard, address: string): Column[] {
  const issues = addressIn(visit, project, 'issues');
  const { nodes, total } = board.boardLists;
  const lists = nodes.map(({ id, position, label, issues: cards }) => ({
    key: String(id),
    title: labelMark(label),
    name: label.name,
    cards,
    all: labelledIn(issues, label.name),
    label: label.name,
    tools: toolsOf(visit, board, `${address}/lists/${id}`, {
      name: label.name,
      position,
      isLast: position === total - 1,
    }),
  }));
  const plain = { label: null, tools: null };
  return [
    {
      ...plain,
      key: 'backlog',
      title: 'Backlog',
      name: 'Backlog',
      cards: board.board.backlog,
      all: issues,
    },
    ...lists,
    {
      ...plain,
      key: 'closed',
      title: 'Closed',
      name: 'Closed',
      cards: board.closed,
      all: `${issues}?state=closed`,
    },
  ];
}

interface ListTraits {
  readonly name: string;
  readonly position: number;
  readonly isLast: boolean;
}

/** The buttons of a list: to move and remove it. */
function toolsOf(
  visit: Visit,
  { project }: ShownBoard,
  address: string,
  { name, position, isLast }: ListTraits,
): Html {
  const { canArrangeBoardLists, canDeleteBoardLists } = project.access;
  const move = (label: string, sign: string, to: number) =>
    html`<form method="post" action="${address}/move">${visit.formToken}<input type="hidden" name="position" value="${to}"><button class="small" aria-label="Move ${name} to the ${label}" title="Move to the ${label}">${sign}</button></form>`;
  return html`<div class="row">${canArrangeBoardLists && position > 0 && move('left', '←', position - 1)}${
    canArrangeBoardLists && !isLast && move('right', '→', position + 1)
  }${
    canDeleteBoardLists &&
    actionForm(visit, {
      address: `${address}/delete`,
      label: 'Remove',
      about: `the list ${name}`,
      look: 'small',
    })
  }</div>`;
}

/** The form that adds a list; nothing if each label has one. */
function addListForm(visit: Visit, { boardLists, labels }: ShownBoard, address: string) {
  const used = new Set(boardLists.nodes.map(({ label }) => label.id));
  const options = labels.nodes
    .filter(({ id }) => !used.has(id))
    .map(({ id, name }) => [String(id), name] as const);
  return (
    options.length > 0 &&
    formOf(
      visit,
      { address: `${address}/lists`, submit: 'Add list', className: 'row' },
      select({ name: 'label_id', label: 'Label', options }),
    )
  );
}

export const boardSections: readonly ProjectSection[] = [
  { word: 'boards', show: showBoard, submit: submitToBoards },
];
