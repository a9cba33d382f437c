import type { Resource } from '../kernel/resource.ts';

const path = '/projects/:id/repository/files/:file_path';

export const file: Resource = {
  name: 'file',
  title: 'Repository files',
  description:
    'Results contain file contents as Base64, up to 8 megabytes. Send binary contents as Base64 with ' +
    'the encoding base64.',
  methods: {
    info: [`GET ${path}`, 'Show a file and its content'],
    blame: [`GET ${path}/blame`, 'List the commits that last changed the lines of a file'],
    raw: [`GET ${path}/raw`, 'Get the content of a file'],
    create: [`POST ${path}`, 'Commit a new file'],
    update: [`PUT ${path}`, 'Commit a change to a file'],
    delete: [`DELETE ${path}`, 'Commit the deletion of a file'],
  },
};
