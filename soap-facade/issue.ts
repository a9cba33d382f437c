import type { Resource } from './kernel/resource.ts';
import { timeTracking } from './time-tracking.ts';

const all = '/projects/:id/issues';
const one = `${all}/:issue_iid` as const;

export const issue: Resource = {
  name: 'issue',
  title: 'Issues',
  noun: 'issue',
  methods: {
    list: { operation: 'GET /issues', title: "List the caller's issues" },
    list_of_group: {
      operation: 'GET /groups/:id/issues',
      title: 'List the issues of a group',
    },
    list_of_project: { operation: `GET ${all}`, title: 'List the issues of a project' },
    info: { operation: `GET ${one}`, title: 'Show an issue' },
    create: { operation: `POST ${all}`, title: 'Open an issue' },
    update: {
      operation: `PUT ${one}`,
      title: 'Change an issue',
      description: 'Closes or reopens it, too: by state_event.',
    },
    delete: { operation: `DELETE ${one}`, title: 'Delete an issue' },
    move: { operation: `POST ${one}/move`, title: 'Move an issue to another project' },
    subscribe: {
      operation: `POST ${one}/subscribe`,
      title: 'Subscribe to an issue',
      description: 'Gives nothing where the caller is subscribed already.',
    },
    unsubscribe: {
      operation: `POST ${one}/unsubscribe`,
      title: 'Unsubscribe from an issue',
      description: 'Gives nothing where the caller is not subscribed.',
    },
    participants: { operation: `GET ${one}/participants`, title: 'List who took part in an issue' },
    closed_by: {
      operation: `GET ${one}/closed_by`,
      title: 'List the merge requests that close an issue',
    },
    ...timeTracking(one, 'an issue'),
  },
};
