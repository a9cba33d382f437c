import type { Resource } from './kernel/resource.ts';

const one = '/projects/:id';

export const project: Resource = {
  name: 'project',
  title: 'Projects',
  methods: {
    list: ['GET /projects', 'List projects'],
    list_of_user: ['GET /users/:user_id/projects', "List the projects in a user's namespace"],
    info: [`GET ${one}`, 'Show a project'],
    users: [`GET ${one}/users`, 'List the users of a project'],
    create: ['POST /projects', 'Create a project'],
    create_for_user: ['POST /projects/user/:user_id', 'Create a project for another user'],
    update: [`PUT ${one}`, 'Update a project'],
    delete: [`DELETE ${one}`, 'Delete a project'],
    fork: [`POST ${one}/fork`, 'Fork a project'],
    forks: [`GET ${one}/forks`, 'List the forks of a project'],
    link_fork: [`POST ${one}/fork/:forked_from_id`, 'Make a project a fork of another project'],
    unlink_fork: [
      `DELETE ${one}/fork`,
      'Remove the fork relation of a project',
      'Returns nothing if the project is not a fork.',
    ],
    archive: [`POST ${one}/archive`, 'Archive a project'],
    unarchive: [`POST ${one}/unarchive`, 'Unarchive a project'],
    star: [`POST ${one}/star`, 'Star a project', 'Returns nothing if it is already starred.'],
    unstar: [`POST ${one}/unstar`, 'Unstar a project', 'Returns nothing if it is not starred.'],
    housekeeping: [`POST ${one}/housekeeping`, 'Start housekeeping of a repository'],
    share: [`POST ${one}/share`, 'Share a project with a group'],
    unshare: [`DELETE ${one}/share/:group_id`, 'Stop sharing a project with a group'],
  },
};
