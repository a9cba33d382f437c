import type { Resource } from './kernel/resource.ts';

const ofProject = '/projects/:id/snippets';
const oneOfProject = `${ofProject}/:snippet_id` as const;

export const snippet: Resource = {
  name: 'snippet',
  title: 'Personal snippets',
  noun: 'snippet',
  methods: {
    list: { operation: 'GET /snippets', title: "List the caller's snippets" },
    list_public: { operation: 'GET /snippets/public', title: 'List all public snippets' },
    info: { operation: 'GET /snippets/:id', title: 'Show a snippet' },
    raw: { operation: 'GET /snippets/:id/raw', title: 'Get what a snippet holds' },
    create: { operation: 'POST /snippets', title: 'Create a snippet' },
    update: { operation: 'PUT /snippets/:id', title: 'Change a snippet' },
    delete: { operation: 'DELETE /snippets/:id', title: 'Delete a snippet' },
  },
};

export const projectSnippet: Resource = {
  name: 'project_snippet',
  title: 'Snippets of projects',
  noun: 'snippet',
  methods: {
    list: { operation: `GET ${ofProject}`, title: 'List the snippets of a project' },
    info: { operation: `GET ${oneOfProject}`, title: 'Show a snippet of a project' },
    raw: { operation: `GET ${oneOfProject}/raw`, title: 'Get what a snippet of a project holds' },
    create: { operation: `POST ${ofProject}`, title: 'Create a snippet of a project' },
    update: { operation: `PUT ${oneOfProject}`, title: 'Change a snippet of a project' },
    delete: { operation: `DELETE ${oneOfProject}`, title: 'Delete a snippet of a project' },
  },
};
