import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import { pathNotFound } from '../../../schema/kernel/errors.ts';
import type { Project } from '../frame/project-head.ts';
import type { Visit } from '../kernel/page.ts';
import { personFields } from '../kernel/people.ts';
import { labelMarkFields } from '../labels/label-mark.ts';

/** Cards of a list, and lists of a page. */
export const cardsPerList = 20;
export const listsPerPage = 20;

const cardFields = graphql(
  `fragment BoardCards on IssuePage {
    total nodes {
      iid title state dueDate isConfidential
      labels { ...LabelMarkFields } milestone { title } assignees { ...PersonFields }
    }
  }`,
  [labelMarkFields, personFields],
);

export type Cards = ResultOf<typeof cardFields>;
export type Card = Cards['nodes'][number];

const boards = graphql(`query FirstBoard($project: ID!) {
  boards(project: $project, perPage: 1) { nodes { id } }
}`);

const document = graphql(
  `query ShownBoard(
    $project: ID!, $board: Int!, $page: Int!, $perPage: Int!, $cards: Int!, $labels: Int!
  ) {
    board(project: $project, id: $board) { id backlog(perPage: $cards) { ...BoardCards } }
    boardLists(project: $project, board: $board, page: $page, perPage: $perPage) {
      total
      nodes {
        id position label { id ...LabelMarkFields } issues(perPage: $cards) { ...BoardCards }
      }
    }
    closed: projectIssues(project: $project, filter: { state: closed }, perPage: $cards) {
      ...BoardCards
    }
    labels(source: { project: $project }, perPage: $labels) { nodes { id name } }
    project(id: $project) {
      access { canAdministerIssues canArrangeBoardLists canDeleteBoardLists }
    }
  }`,
  [cardFields, labelMarkFields],
);

export type ShownBoard = ResultOf<typeof document>;

/** The id in an address, or of the first board of the project. */
export async function boardIdOf(visit: Visit, project: Project, id: number | null) {
  if (id !== null) return id;
  const { nodes } = (await visit.ask(boards, { project: String(project.id) })).boards;
  const [first] = nodes;
  if (!first) throw pathNotFound();
  return first.id;
}

/** A board with the first cards of its lists, the backlog and the closed issues. */
export const readBoard = (visit: Visit, project: Project, board: number, page: number) =>
  visit.ask(document, {
    project: String(project.id),
    board,
    page,
    perPage: listsPerPage,
    cards: cardsPerList,
    labels: 100,
  });
