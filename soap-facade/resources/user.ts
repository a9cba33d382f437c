import type { Path, Resource } from '../kernel/resource.ts';

const path = '/users/:id';

export const user: Resource = {
  name: 'user',
  title: 'Users',
  methods: {
    current: ['GET /user', 'Show the current user'],
    list: ['GET /users', 'List users'],
    info: [`GET ${path}`, 'Show a user'],
    create: ['POST /users', 'Create a user'],
    update: [`PUT ${path}`, 'Update a user'],
    delete: [`DELETE ${path}`, 'Delete a user'],
    block: [`POST ${path}/block`, 'Block a user'],
    unblock: [`POST ${path}/unblock`, 'Unblock a user'],
    activities: ['GET /user/activities', 'List the last activity dates of users'],
  },
};

const settingsOf = (name: string, path: Path, where: string): Resource => ({
  name,
  title: `Notification settings${where}`,
  methods: {
    info: [`GET ${path}`, `Show the notification settings of the current user${where}`],
    update: [`PUT ${path}`, `Update the notification settings of the current user${where}`],
  },
});

export const notificationSettings: readonly Resource[] = [
  settingsOf('notification_settings', '/notification_settings', ''),
  settingsOf('group_notification_settings', '/groups/:id/notification_settings', ' for a group'),
  settingsOf(
    'project_notification_settings',
    '/projects/:id/notification_settings',
    ' for a project',
  ),
];

const unchanged = 'Returns nothing if the current user has a pending to-do for it.';

export const todo: Resource = {
  name: 'todo',
  title: 'To-dos',
  noun: 'to-do',
  methods: {
    list: ['GET /todos', 'List the to-dos of the current user'],
    mark_as_done: ['POST /todos/:todo_id/mark_as_done', 'Mark a to-do as done'],
    mark_all_as_done: ['POST /todos/mark_as_done', 'Mark all to-dos as done'],
    create_for_issue: [
      'POST /projects/:id/issues/:issue_iid/todo',
      'Create a to-do for an issue',
      unchanged,
    ],
    create_for_merge_request: [
      'POST /projects/:id/merge_requests/:merge_request_iid/todo',
      'Create a to-do for a merge request',
      unchanged,
    ],
  },
};
