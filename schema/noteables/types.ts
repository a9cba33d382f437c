import { builder } from '../kernel/builder.ts';

const IssueRefInput = builder.inputType('IssueRef', {
  fields: (t) => ({
    /** An id or a full path. */
    project: t.id({ required: true }),
    /** Its number within the project. */
    iid: t.int({ required: true }),
  }),
});

/** What people talk about: notes and award emoji are written once for all kinds of it. */
export const NoteableInput = builder.inputType('NoteableInput', {
  isOneOf: true,
  fields: (t) => ({ issue: t.field({ type: IssueRefInput }) }),
});

export type AskedNoteable = typeof NoteableInput.$inferInput;
