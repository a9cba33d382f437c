import { collection, type Resource } from '../kernel/resource.ts';

export const board: Resource = {
  name: 'board',
  title: 'Issue boards',
  methods: {
    list: ['GET /projects/:id/boards', 'List the boards of a project'],
    info: ['GET /projects/:id/boards/:board_id', 'Show a board of a project'],
  },
};

export const boardList: Resource = {
  name: 'board_list',
  title: 'Lists of issue boards',
  noun: 'list',
  methods: collection('/projects/:id/boards/:board_id/lists', ':list_id', 'list', 'a board'),
};
