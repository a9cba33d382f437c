import type { Resource } from './kernel/resource.ts';

const all = '/projects/:id/hooks';
const one = `${all}/:hook_id` as const;

export const projectHook: Resource = {
  name: 'project_hook',
  title: 'Hooks of projects',
  noun: 'hook',
  methods: {
    list: { operation: `GET ${all}`, title: 'List the hooks of a project' },
    info: { operation: `GET ${one}`, title: 'Show a hook of a project' },
    create: { operation: `POST ${all}`, title: 'Add a hook to a project' },
    update: { operation: `PUT ${one}`, title: 'Change a hook of a project' },
    delete: { operation: `DELETE ${one}`, title: 'Delete a hook of a project' },
  },
};

export const systemHook: Resource = {
  name: 'system_hook',
  title: 'System hooks',
  noun: 'hook',
  methods: {
    list: { operation: 'GET /hooks', title: 'List the system hooks' },
    create: { operation: 'POST /hooks', title: 'Add a system hook' },
    test: { operation: 'POST /hooks/:hook_id', title: 'Send a sample to a system hook' },
    delete: { operation: 'DELETE /hooks/:hook_id', title: 'Delete a system hook' },
  },
};
