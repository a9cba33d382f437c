import { graphql, type ResultOf } from '../../schema/client/graphql.ts';
import { p } from '../kernel/params.ts';
import { entity, s, shaped, shapeOf } from '../kernel/shape.ts';
import { discussionNote, noteFields } from './note.ts';

/** The path parameter `discussion_id`. */
export const discussionId = p.text({ isFilled: true, longest: 255 });

export const discussionFields = graphql(
  `
    fragment DiscussionFields on Discussion {
      id: key individual_note: isIndividual firstNote { ...NoteFields } replies { ...NoteFields }
    }
  `,
  [noteFields],
);

export const key = s.text().describe('The id: 40 hexadecimal digits.');
export const isIndividual = s
  .flag()
  .describe('Whether it is a single note, to which there can be no replies.');

/** A discussion of the noteable with this number within its project. */
export const discussion = shaped(
  entity('Discussion', {
    id: key,
    individual_note: isIndividual,
    notes: s.list(shapeOf(discussionNote)).describe('The notes, the oldest first.'),
  }),
  (
    { id, individual_note, firstNote, replies }: ResultOf<typeof discussionFields>,
    noteableIid: number | null,
  ) => ({
    id,
    individual_note,
    notes: [firstNote, ...replies].map((record) => discussionNote(record, noteableIid)),
  }),
);
