import type { Resource } from '../kernel/resource.ts';

const all = '/projects/:id/repository/commits';
const path = `${all}/:sha` as const;

export const commit: Resource = {
  name: 'commit',
  title: 'Commits',
  description: 'A commit is identified by its SHA, or by the name of a branch or tag.',
  methods: {
    list: [`GET ${all}`, 'List the commits of a repository'],
    info: [`GET ${path}`, 'Show a commit'],
    diff: [`GET ${path}/diff`, 'Show the diff of a commit'],
    merge_requests: [`GET ${path}/merge_requests`, 'List the merge requests with a commit'],
    create: [`POST ${all}`, 'Commit changes to files'],
    cherry_pick: [`POST ${path}/cherry_pick`, 'Cherry-pick a commit to a branch'],
    revert: [`POST ${path}/revert`, 'Revert a commit on a branch'],
    refs: [`GET ${path}/refs`, 'List the branches and tags that contain a commit'],
  },
};

export const commitComment: Resource = {
  name: 'commit_comment',
  title: 'Comments on commits',
  noun: 'comment',
  methods: {
    list: [`GET ${path}/comments`, 'List the comments on a commit'],
    create: [`POST ${path}/comments`, 'Comment on a commit'],
  },
};
