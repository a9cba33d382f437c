import type { Resource } from '../kernel/resource.ts';

const path = '/projects/:id';

export const project: Resource = {
  name: 'project',
  title: 'Projects',
  methods: {
    list: ['GET /projects', 'List projects'],
    list_of_user: ['GET /users/:user_id/projects', "List the projects in a user's namespace"],
    info: [`GET ${path}`, 'Show a project'],
    users: [`GET ${path}/users`, 'List the users of a project'],
    create: ['POST /projects', 'Create a project'],
    create_for_user: ['POST /projects/user/:user_id', 'Create a project for another user'],
    update: [`PUT ${path}`, 'Update a project'],
    delete: [`DELETE ${path}`, 'Delete a project'],
    fork: [`POST ${path}/fork`, 'Fork a project'],
    forks: [`GET ${path}/forks`, 'List the forks of a project'],
    link_fork: [`POST ${path}/fork/:forked_from_id`, 'Make a project a fork of another project'],
    unlink_fork: [
      `DELETE ${path}/fork`,
      'Remove the fork relation of a project',
      'Returns nothing if the project is not a fork.',
    ],
    archive: [`POST ${path}/archive`, 'Archive a project'],
    unarchive: [`POST ${path}/unarchive`, 'Unarchive a project'],
    star: [`POST ${path}/star`, 'Star a project', 'Returns nothing if it is already starred.'],
    unstar: [`POST ${path}/unstar`, 'Unstar a project', 'Returns nothing if it is not starred.'],
    transfer: [`PUT ${path}/transfer`, 'Transfer a project to another namespace'],
    housekeeping: [`POST ${path}/housekeeping`, 'Start housekeeping of a repository'],
    share: [`POST ${path}/share`, 'Share a project with a group'],
    unshare: [`DELETE ${path}/share/:group_id`, 'Stop sharing a project with a group'],
  },
};
