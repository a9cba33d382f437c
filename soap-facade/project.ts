import type { Resource } from './kernel/resource.ts';

export const project: Resource = {
  name: 'project',
  title: 'Projects',
  noun: 'project',
  methods: {
    list: { operation: 'GET /projects', title: 'List projects' },
    list_of_user: {
      operation: 'GET /users/:user_id/projects',
      title: "List the projects in somebody's personal namespace",
    },
    info: { operation: 'GET /projects/:id', title: 'Show a project' },
    users: { operation: 'GET /projects/:id/users', title: 'List the users of a project' },
    create: { operation: 'POST /projects', title: 'Create a project' },
    create_for_user: {
      operation: 'POST /projects/user/:user_id',
      title: 'Create a project for somebody else',
    },
    update: { operation: 'PUT /projects/:id', title: 'Change a project' },
    delete: { operation: 'DELETE /projects/:id', title: 'Delete a project' },
    fork: { operation: 'POST /projects/:id/fork', title: 'Fork a project' },
    forks: { operation: 'GET /projects/:id/forks', title: 'List the forks of a project' },
    link_fork: {
      operation: 'POST /projects/:id/fork/:forked_from_id',
      title: 'Make a project a fork of another',
    },
    unlink_fork: {
      operation: 'DELETE /projects/:id/fork',
      title: 'Make a fork a project of its own',
      description: 'Gives nothing where it was none.',
    },
    archive: { operation: 'POST /projects/:id/archive', title: 'Archive a project' },
    unarchive: { operation: 'POST /projects/:id/unarchive', title: 'Bring a project back' },
    star: {
      operation: 'POST /projects/:id/star',
      title: 'Star a project',
      description: 'Gives nothing where it was starred already.',
    },
    unstar: {
      operation: 'POST /projects/:id/unstar',
      title: 'Take the star from a project',
      description: 'Gives nothing where it was not starred.',
    },
    housekeeping: { operation: 'POST /projects/:id/housekeeping', title: 'Tidy a repository' },
    share: { operation: 'POST /projects/:id/share', title: 'Share a project with a group' },
    unshare: {
      operation: 'DELETE /projects/:id/share/:group_id',
      title: 'Stop sharing a project with a group',
    },
  },
};
