import { builder } from '../kernel/builder.ts';

const refInput = (name: 'IssueRef' | 'MergeRequestRef') =>
  builder.inputType(name, {
    fields: (t) => ({
      project: t.id({ required: true, description: 'The id or full path of the project.' }),
      iid: t.int({ required: true, description: 'The number within the project.' }),
    }),
  });

const SnippetRefInput = builder.inputType('SnippetRef', {
  fields: (t) => ({
    project: t.id({ required: true, description: 'The id or full path of the project.' }),
    id: t.int({ required: true, description: 'The id of the snippet.' }),
  }),
});

/** The target of notes and award emoji, which have the same operations for all kinds. */
export const NoteableInput = builder.inputType('NoteableInput', {
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
