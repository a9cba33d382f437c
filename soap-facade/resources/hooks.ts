import { collection, type Resource } from '../kernel/resource.ts';

export const projectHook: Resource = {
  name: 'project_hook',
  title: 'Project hooks',
  noun: 'hook',
  methods: collection('/projects/:id/hooks', ':hook_id', 'hook', 'a project'),
};

export const systemHook: Resource = {
  name: 'system_hook',
  title: 'System hooks',
  noun: 'hook',
  methods: {
    list: ['GET /hooks', 'List the system hooks'],
    create: ['POST /hooks', 'Create a system hook'],
    test: ['POST /hooks/:hook_id', 'Send a sample payload to a system hook'],
    delete: ['DELETE /hooks/:hook_id', 'Delete a system hook'],
  },
};
