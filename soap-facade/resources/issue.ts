import type { Resource } from '../kernel/resource.ts';
import { issuableLists, subscription, timeTracking } from './issuables.ts';

const all = '/projects/:id/issues';
const path = `${all}/:issue_iid` as const;

export const issue: Resource = {
  name: 'issue',
  title: 'Issues',
  methods: {
    ...issuableLists('issues', 'issues'),
    info: [`GET ${path}`, 'Show an issue'],
    create: [`POST ${all}`, 'Create an issue'],
    update: [`PUT ${path}`, 'Update an issue', 'Also closes or reopens it, by state_event.'],
    delete: [`DELETE ${path}`, 'Delete an issue'],
    move: [`POST ${path}/move`, 'Move an issue to another project'],
    ...subscription(path, 'an issue'),
    participants: [`GET ${path}/participants`, 'List the participants of an issue'],
    related_merge_requests: [
      `GET ${path}/related_merge_requests`,
      'List the merge requests that mention an issue',
    ],
    closed_by: [`GET ${path}/closed_by`, 'List the merge requests that close an issue'],
    ...timeTracking(path, 'an issue'),
  },
};
