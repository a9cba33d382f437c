import type { Resource } from './kernel/resource.ts';

export const commitStatus: Resource = {
  name: 'commit_status',
  title: 'Statuses of commits',
  noun: 'status',
  methods: {
    list: {
      operation: 'GET /projects/:id/repository/commits/:sha/statuses',
      title: 'List the statuses of a commit',
    },
    create: { operation: 'POST /projects/:id/statuses/:sha', title: 'Set a status of a commit' },
  },
};

export const ci: Resource = {
  name: 'ci',
  title: 'Files that tell what pipelines do',
  noun: 'file',
  methods: {
    lint: { operation: 'POST /ci/lint', title: 'Check such a file' },
  },
};
