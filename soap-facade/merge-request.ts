import { issuableLists, subscription, timeTracking } from './issuables.ts';
import type { Resource } from './kernel/resource.ts';

const all = '/projects/:id/merge_requests';
const one = `${all}/:merge_request_iid` as const;

export const mergeRequest: Resource = {
  name: 'merge_request',
  title: 'Merge requests',
  methods: {
    ...issuableLists('merge_requests', 'merge requests'),
    info: [`GET ${one}`, 'Show a merge request'],
    commits: [`GET ${one}/commits`, 'List the commits of a merge request'],
    changes: [`GET ${one}/changes`, 'Show the changes of a merge request'],
    create: [`POST ${all}`, 'Create a merge request'],
    update: [`PUT ${one}`, 'Update a merge request', 'Also closes or reopens it, by state_event.'],
    delete: [`DELETE ${one}`, 'Delete a merge request'],
    merge: [`PUT ${one}/merge`, 'Merge a merge request'],
    cancel_merge_when_pipeline_succeeds: [
      `PUT ${one}/cancel_merge_when_pipeline_succeeds`,
      'Cancel the merge that waits for the pipeline',
    ],
    ...subscription(one, 'a merge request'),
    participants: [`GET ${one}/participants`, 'List the participants of a merge request'],
    closes_issues: [`GET ${one}/closes_issues`, 'List the issues that a merge request closes'],
    ...timeTracking(one, 'a merge request'),
  },
};
