import type { Resource } from '../kernel/resource.ts';

const ofProject = '/projects/:id/snippets';
const oneOfProject = `${ofProject}/:snippet_id` as const;

export const snippet: Resource = {
  name: 'snippet',
  title: 'Personal snippets',
  methods: {
    list: ['GET /snippets', "List the current user's snippets"],
    list_public: ['GET /snippets/public', 'List all public snippets'],
    info: ['GET /snippets/:id', 'Show a snippet'],
    raw: ['GET /snippets/:id/raw', 'Get the content of a snippet'],
    create: ['POST /snippets', 'Create a snippet'],
    update: ['PUT /snippets/:id', 'Update a snippet'],
    delete: ['DELETE /snippets/:id', 'Delete a snippet'],
  },
};

export const projectSnippet: Resource = {
  name: 'project_snippet',
  title: 'Project snippets',
  noun: 'snippet',
  methods: {
    list: [`GET ${ofProject}`, 'List the snippets of a project'],
    info: [`GET ${oneOfProject}`, 'Show a snippet of a project'],
    raw: [`GET ${oneOfProject}/raw`, 'Get the content of a snippet of a project'],
    create: [`POST ${ofProject}`, 'Create a snippet of a project'],
    update: [`PUT ${oneOfProject}`, 'Update a snippet of a project'],
    delete: [`DELETE ${oneOfProject}`, 'Delete a snippet of a project'],
  },
};
