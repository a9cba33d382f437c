import type { Resource } from './kernel/resource.ts';

const one = '/projects/:id/repository/files/:file_path';

export const file: Resource = {
  name: 'file',
  title: 'Files of repositories',
  description:
    'What a file holds comes as Base64, up to 8 megabytes. What is no text is given as Base64, too: ' +
    'with the encoding base64.',
  noun: 'file',
  methods: {
    info: { operation: `GET ${one}`, title: 'Show a file, and what it holds' },
    raw: { operation: `GET ${one}/raw`, title: 'Get what a file holds' },
    create: { operation: `POST ${one}`, title: 'Commit a new file' },
    update: { operation: `PUT ${one}`, title: 'Commit a change of a file' },
    delete: { operation: `DELETE ${one}`, title: 'Commit that a file is deleted' },
  },
};
