import { collection, type Resource } from '../kernel/resource.ts';
import { issues, mergeRequests, type Noteable, snippets } from './noteables.ts';

const notesOn = ({ name, singular, plural, path }: Noteable): Resource => ({
  name: `${name}_note`,
  title: `Notes on ${plural}`,
  noun: 'note',
  methods: collection(`${path}/notes`, ':note_id', 'note', singular),
});

export const issueNote = notesOn(issues);
export const snippetNote = notesOn(snippets);
export const mergeRequestNote = notesOn(mergeRequests);
