import type { Resource } from '../kernel/resource.ts';
import { issuableLists, subscription, timeTracking } from './issuables.ts';

const all = '/projects/:id/merge_requests';
const path = `${all}/:merge_request_iid` as const;

export const mergeRequest: Resource = {
  name: 'merge_request',
  title: 'Merge requests',
  methods: {
    ...issuableLists('merge_requests', 'merge requests'),
    info: [`GET ${path}`, 'Show a merge request'],
    commits: [`GET ${path}/commits`, 'List the commits of a merge request'],
    changes: [`GET ${path}/changes`, 'Show the changes of a merge request'],
    diffs: [`GET ${path}/diffs`, 'List the changed files of a merge request'],
    pipelines: [`GET ${path}/pipelines`, 'List the pipelines of a merge request'],
    create_pipeline: [`POST ${path}/pipelines`, 'Create a pipeline of a merge request'],
    versions: [`GET ${path}/versions`, 'List the versions of a merge request'],
    version: [`GET ${path}/versions/:version_id`, 'Show a version of a merge request'],
    approvals: [`GET ${path}/approvals`, 'Show the approvals of a merge request'],
    approve: [`POST ${path}/approve`, 'Approve a merge request'],
    unapprove: [`POST ${path}/unapprove`, 'Withdraw the approval of a merge request'],
    create: [`POST ${all}`, 'Create a merge request'],
    update: [`PUT ${path}`, 'Update a merge request', 'Also closes or reopens it, by state_event.'],
    delete: [`DELETE ${path}`, 'Delete a merge request'],
    merge: [`PUT ${path}/merge`, 'Merge a merge request'],
    merge_ref: [`GET ${path}/merge_ref`, 'Merge a merge request into a reference of its own'],
    rebase: [`PUT ${path}/rebase`, 'Rebase a merge request'],
    cancel_merge_when_pipeline_succeeds: [
      `PUT ${path}/cancel_merge_when_pipeline_succeeds`,
      'Cancel the merge that waits for the pipeline',
    ],
    ...subscription(path, 'a merge request'),
    participants: [`GET ${path}/participants`, 'List the participants of a merge request'],
    closes_issues: [`GET ${path}/closes_issues`, 'List the issues that a merge request closes'],
    ...timeTracking(path, 'a merge request'),
  },
};
