import type { Resource } from './kernel/resource.ts';

const all = '/projects/:id/repository/commits';
const one = `${all}/:sha` as const;

export const commit: Resource = {
  name: 'commit',
  title: 'Commits',
  description: 'A commit is told by its SHA, or by the name of a branch or tag.',
  noun: 'commit',
  methods: {
    list: { operation: `GET ${all}`, title: 'List the commits of a repository' },
    info: { operation: `GET ${one}`, title: 'Show a commit' },
    diff: { operation: `GET ${one}/diff`, title: 'Show what a commit changes' },
    create: { operation: `POST ${all}`, title: 'Commit changes to files' },
    cherry_pick: { operation: `POST ${one}/cherry_pick`, title: 'Repeat a commit on a branch' },
  },
};

export const commitComment: Resource = {
  name: 'commit_comment',
  title: 'Comments on commits',
  noun: 'comment',
  methods: {
    list: { operation: `GET ${one}/comments`, title: 'List the comments on a commit' },
    create: { operation: `POST ${one}/comments`, title: 'Comment on a commit' },
  },
};
