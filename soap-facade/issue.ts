import { issuableLists, subscription, timeTracking } from './issuables.ts';
import type { Resource } from './kernel/resource.ts';

const all = '/projects/:id/issues';
const one = `${all}/:issue_iid` as const;

export const issue: Resource = {
  name: 'issue',
  title: 'Issues',
  methods: {
    ...issuableLists('issues', 'issues'),
    info: [`GET ${one}`, 'Show an issue'],
    create: [`POST ${all}`, 'Create an issue'],
    update: [`PUT ${one}`, 'Update an issue', 'Also closes or reopens it, by state_event.'],
    delete: [`DELETE ${one}`, 'Delete an issue'],
    move: [`POST ${one}/move`, 'Move an issue to another project'],
    ...subscription(one, 'an issue'),
    participants: [`GET ${one}/participants`, 'List the participants of an issue'],
    closed_by: [`GET ${one}/closed_by`, 'List the merge requests that close an issue'],
    ...timeTracking(one, 'an issue'),
  },
};
