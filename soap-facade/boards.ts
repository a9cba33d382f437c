import type { Resource } from './kernel/resource.ts';

const lists = '/projects/:id/boards/:board_id/lists';
const one = `${lists}/:list_id` as const;

export const board: Resource = {
  name: 'board',
  title: 'Issue boards',
  noun: 'board',
  methods: {
    list: { operation: 'GET /projects/:id/boards', title: 'List the boards of a project' },
    info: { operation: 'GET /projects/:id/boards/:board_id', title: 'Show a board' },
  },
};

export const boardList: Resource = {
  name: 'board_list',
  title: 'Lists of issue boards',
  noun: 'list',
  methods: {
    list: { operation: `GET ${lists}`, title: 'List the lists of a board' },
    info: { operation: `GET ${one}`, title: 'Show a list of a board' },
    create: { operation: `POST ${lists}`, title: 'Add a list for a label to a board' },
    update: { operation: `PUT ${one}`, title: 'Move a list of a board' },
    delete: { operation: `DELETE ${one}`, title: 'Delete a list of a board' },
  },
};
