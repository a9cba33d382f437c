import type { Resource } from './kernel/resource.ts';

const own = '/user/keys';
const ofUser = '/users/:id/keys';

export const sshKey: Resource = {
  name: 'ssh_key',
  title: 'SSH keys',
  noun: 'key',
  methods: {
    list: { operation: `GET ${own}`, title: "List the caller's keys" },
    list_of_user: { operation: `GET ${ofUser}`, title: 'List the keys of a user' },
    info: { operation: `GET ${own}/:key_id`, title: 'Show a key of the caller' },
    info_with_user: { operation: 'GET /keys/:id', title: 'Show a key, and whose it is' },
    create: { operation: `POST ${own}`, title: 'Add a key to the caller' },
    create_for_user: { operation: `POST ${ofUser}`, title: 'Add a key to a user' },
    delete: { operation: `DELETE ${own}/:key_id`, title: 'Delete a key of the caller' },
    delete_of_user: { operation: `DELETE ${ofUser}/:key_id`, title: 'Delete a key of a user' },
  },
};

const all = '/projects/:id/deploy_keys';
const one = `${all}/:key_id` as const;

export const deployKey: Resource = {
  name: 'deploy_key',
  title: 'Deploy keys',
  noun: 'deploy key',
  methods: {
    list: { operation: `GET ${all}`, title: 'List the deploy keys of a project' },
    list_all: { operation: 'GET /deploy_keys', title: 'List all deploy keys' },
    info: { operation: `GET ${one}`, title: 'Show a deploy key of a project' },
    create: { operation: `POST ${all}`, title: 'Add a deploy key to a project' },
    update: { operation: `PUT ${one}`, title: 'Change a deploy key of a project' },
    delete: { operation: `DELETE ${one}`, title: 'Take a deploy key from a project' },
    enable: {
      operation: `POST ${one}/enable`,
      title: 'Enable the deploy key of another project in this one',
    },
  },
};
