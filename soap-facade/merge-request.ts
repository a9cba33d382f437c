import type { Resource } from './kernel/resource.ts';
import { timeTracking } from './time-tracking.ts';

const all = '/projects/:id/merge_requests';
const one = `${all}/:merge_request_iid` as const;

export const mergeRequest: Resource = {
  name: 'merge_request',
  title: 'Merge requests',
  noun: 'merge request',
  methods: {
    list: { operation: 'GET /merge_requests', title: "List the caller's merge requests" },
    list_of_group: {
      operation: 'GET /groups/:id/merge_requests',
      title: 'List the merge requests of a group',
    },
    list_of_project: { operation: `GET ${all}`, title: 'List the merge requests of a project' },
    info: { operation: `GET ${one}`, title: 'Show a merge request' },
    commits: { operation: `GET ${one}/commits`, title: 'List the commits of a merge request' },
    changes: { operation: `GET ${one}/changes`, title: 'Show what a merge request changes' },
    create: { operation: `POST ${all}`, title: 'Open a merge request' },
    update: {
      operation: `PUT ${one}`,
      title: 'Change a merge request',
      description: 'Closes or reopens it, too: by state_event.',
    },
    delete: { operation: `DELETE ${one}`, title: 'Delete a merge request' },
    merge: { operation: `PUT ${one}/merge`, title: 'Merge what a merge request asks for' },
    cancel_merge_when_pipeline_succeeds: {
      operation: `PUT ${one}/cancel_merge_when_pipeline_succeeds`,
      title: 'Do not merge when the pipeline succeeds',
    },
    subscribe: {
      operation: `POST ${one}/subscribe`,
      title: 'Subscribe to a merge request',
      description: 'Gives nothing where the caller is subscribed already.',
    },
    unsubscribe: {
      operation: `POST ${one}/unsubscribe`,
      title: 'Unsubscribe from a merge request',
      description: 'Gives nothing where the caller is not subscribed.',
    },
    participants: {
      operation: `GET ${one}/participants`,
      title: 'List who took part in a merge request',
    },
    closes_issues: {
      operation: `GET ${one}/closes_issues`,
      title: 'List the issues that a merge request closes',
    },
    ...timeTracking(one, 'a merge request'),
  },
};
