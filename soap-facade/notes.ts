import type { Resource } from './kernel/resource.ts';

interface Kind {
  readonly name: string;
  /** `an issue` */
  readonly thing: string;
  readonly title: string;
  /** Within a project. */
  readonly path: string;
}

function notesOn({ name, thing, title, path }: Kind): Resource {
  const all = `/projects/:id/${path}/notes` as const;
  const one = `${all}/:note_id` as const;
  return {
    name,
    title,
    noun: 'note',
    methods: {
      list: { operation: `GET ${all}`, title: `List the notes on ${thing}` },
      info: { operation: `GET ${one}`, title: `Show a note on ${thing}` },
      create: { operation: `POST ${all}`, title: `Write a note on ${thing}` },
      update: { operation: `PUT ${one}`, title: `Change a note on ${thing}` },
      delete: { operation: `DELETE ${one}`, title: `Delete a note on ${thing}` },
    },
  };
}

export const issueNote = notesOn({
  name: 'issue_note',
  thing: 'an issue',
  title: 'Notes on issues',
  path: 'issues/:issue_iid',
});

export const snippetNote = notesOn({
  name: 'snippet_note',
  thing: 'a snippet',
  title: 'Notes on snippets',
  path: 'snippets/:snippet_id',
});

export const mergeRequestNote = notesOn({
  name: 'merge_request_note',
  thing: 'a merge request',
  title: 'Notes on merge requests',
  path: 'merge_requests/:merge_request_iid',
});
