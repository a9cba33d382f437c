import { builder } from '../kernel/builder.ts';

const refInput = (name: 'IssueRef' | 'MergeRequestRef') =>
  builder.inputType(name, {
    fields: (t) => ({
      /** An id or a full path. */
      project: t.id({ required: true }),
      /** The number within the project. */
      iid: t.int({ required: true }),
    }),
  });

const SnippetRefInput = builder.inputType('SnippetRef', {
  fields: (t) => ({
    /** An id or a full path. */
    project: t.id({ required: true }),
    id: t.int({ required: true }),
  }),
});

/** The target of notes and award emoji, which have the same operations for all kinds. */
export const NoteableInput = builder.inputType('NoteableInput', {
  isOneOf: true,
  fields: (t) => ({
    issue: t.field({ type: refInput('IssueRef') }),
    mergeRequest: t.field({ type: refInput('MergeRequestRef') }),
    snippet: t.field({ type: SnippetRefInput }),
  }),
});

export type NoteableRef = typeof NoteableInput.$inferInput;
