import { collection, type Resource } from '../kernel/resource.ts';

const branches = '/projects/:id/repository/branches';

export const branch: Resource = {
  name: 'branch',
  title: 'Branches',
  methods: {
    ...collection(branches, ':branch', 'branch', 'a repository', 'update'),
    delete_merged: [
      'DELETE /projects/:id/repository/merged_branches',
      'Delete all merged branches of a repository',
    ],
    protect: [`PUT ${branches}/:branch/protect`, 'Protect an existing branch'],
    unprotect: [`PUT ${branches}/:branch/unprotect`, 'Remove the protection of a branch'],
  },
};

export const protectedBranch: Resource = {
  name: 'protected_branch',
  title: 'Protected branches',
  description: 'Required access for pushes and merges, by branch name or wildcard.',
  methods: collection(
    '/projects/:id/protected_branches',
    ':name',
    'protected branch',
    'a project',
    'update',
  ),
};
