import type { Path } from '../kernel/resource.ts';

/** A kind of record that notes and award emoji are added to. */
export interface Noteable {
  readonly name: string;
  /** `an issue` */
  readonly singular: string;
  /** `issues` */
  readonly plural: string;
  readonly path: Path;
}

export const issues: Noteable = {
  name: 'issue',
  singular: 'an issue',
  plural: 'issues',
  path: '/projects/:id/issues/:issue_iid',
};

export const mergeRequests: Noteable = {
  name: 'merge_request',
  singular: 'a merge request',
  plural: 'merge requests',
  path: '/projects/:id/merge_requests/:merge_request_iid',
};

export const snippets: Noteable = {
  name: 'snippet',
  singular: 'a snippet',
  plural: 'snippets',
  path: '/projects/:id/snippets/:snippet_id',
};
