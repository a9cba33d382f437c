import type { Resource } from './kernel/resource.ts';

export const commitStatus: Resource = {
  name: 'commit_status',
  title: 'Commit statuses',
  noun: 'status',
  methods: {
    list: ['GET /projects/:id/repository/commits/:sha/statuses', 'List the statuses of a commit'],
    create: ['POST /projects/:id/statuses/:sha', 'Set a status of a commit'],
  },
};

export const ci: Resource = {
  name: 'ci',
  title: 'CI configuration files',
  noun: 'file',
  methods: {
    lint: ['POST /ci/lint', 'Validate a CI configuration file'],
  },
};
