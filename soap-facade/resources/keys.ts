import type { Resource } from '../kernel/resource.ts';

const own = '/user/keys';
const ofUser = '/users/:id/keys';

export const sshKey: Resource = {
  name: 'ssh_key',
  title: 'SSH keys',
  noun: 'key',
  methods: {
    list: [`GET ${own}`, "List the current user's keys"],
    list_of_user: [`GET ${ofUser}`, 'List the keys of a user'],
    info: [`GET ${own}/:key_id`, 'Show a key of the current user'],
    info_with_user: ['GET /keys/:id', 'Show a key and its user'],
    create: [`POST ${own}`, 'Add a key to the current user'],
    create_for_user: [`POST ${ofUser}`, 'Add a key to a user'],
    delete: [`DELETE ${own}/:key_id`, 'Delete a key of the current user'],
    delete_of_user: [`DELETE ${ofUser}/:key_id`, 'Delete a key of a user'],
  },
};

const all = '/projects/:id/deploy_keys';
const path = `${all}/:key_id` as const;

export const deployKey: Resource = {
  name: 'deploy_key',
  title: 'Deploy keys',
  methods: {
    list: [`GET ${all}`, 'List the deploy keys of a project'],
    list_all: ['GET /deploy_keys', 'List all deploy keys'],
    info: [`GET ${path}`, 'Show a deploy key of a project'],
    create: [`POST ${all}`, 'Add a deploy key to a project'],
    update: [`PUT ${path}`, 'Update a deploy key of a project'],
    delete: [`DELETE ${path}`, 'Remove a deploy key from a project'],
    enable: [`POST ${path}/enable`, 'Enable the deploy key of another project in this project'],
  },
};
