import type { Resource } from './kernel/resource.ts';

const branches = '/projects/:id/repository/branches';
const oneBranch = `${branches}/:branch` as const;
const rules = '/projects/:id/protected_branches';

export const branch: Resource = {
  name: 'branch',
  title: 'Branches',
  noun: 'branch',
  methods: {
    list: { operation: `GET ${branches}`, title: 'List the branches of a repository' },
    info: { operation: `GET ${oneBranch}`, title: 'Show a branch' },
    create: { operation: `POST ${branches}`, title: 'Create a branch' },
    delete: { operation: `DELETE ${oneBranch}`, title: 'Delete a branch' },
    delete_merged: {
      operation: 'DELETE /projects/:id/repository/merged_branches',
      title: 'Delete all branches that are merged',
    },
    protect: { operation: `PUT ${oneBranch}/protect`, title: 'Protect a branch that there is' },
    unprotect: { operation: `PUT ${oneBranch}/unprotect`, title: 'Protect a branch no longer' },
  },
};

export const protectedBranch: Resource = {
  name: 'protected_branch',
  title: 'Protected branches',
  description: 'Who may push to and merge into branches of a name, which may have wildcards.',
  noun: 'protected branch',
  methods: {
    list: { operation: `GET ${rules}`, title: 'List the protected branches of a project' },
    info: { operation: `GET ${rules}/:name`, title: 'Show a protected branch' },
    create: { operation: `POST ${rules}`, title: 'Protect branches of a name' },
    delete: { operation: `DELETE ${rules}/:name`, title: 'Protect branches of a name no longer' },
  },
};
