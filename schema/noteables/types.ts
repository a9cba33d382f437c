import { builder } from '../kernel/builder.ts';

const refInput = (name: 'IssueRef' | 'MergeRequestRef') =>
  builder.inputType(name, {
    description: `Identifies ${name === 'IssueRef' ? 'an issue' : 'a merge request'} by its project and number.`,
    fields: (t) => ({
      project: t.id({ required: true, description: 'The project.' }),
      iid: t.int({ required: true, description: 'The number within the project.' }),
    }),
  });

const SnippetRefInput = builder.inputType('SnippetRef', {
  description: 'Identifies a snippet of a project.',
  fields: (t) => ({
    project: t.id({ required: true, description: 'The project.' }),
    id: t.int({ required: true, description: 'The id of the snippet.' }),
  }),
});

export const NoteableInput = builder.inputType('NoteableInput', {
  description: 'Identifies the issue, merge request or snippet that has notes and award emoji.',
  isOneOf: true,
  fields: (t) => ({
    issue: t.field({ type: refInput('IssueRef'), description: 'An issue.' }),
    mergeRequest: t.field({
      type: refInput('MergeRequestRef'),
      description: 'A merge request.',
    }),
    snippet: t.field({ type: SnippetRefInput, description: 'A snippet of a project.' }),
  }),
});

export type NoteableRef = typeof NoteableInput.$inferInput;
