import { z } from 'zod';
import { issueFields } from './issue.ts';
import { mergeRequestFields } from './merge-request.ts';
import { flag, integer, part, project, repository, text, time, user } from './parts.ts';

const snippet = z.strictObject({
  id: integer('The id.'),
  title: text('The title.'),
  file_name: text('The file name.').nullable(),
  author_id: integer('The id of the author; null if the user was deleted.').nullable(),
  project_id: integer('The id of the project.').nullable(),
  created_at: time('When it was created.'),
  updated_at: time('When it was last changed.'),
});

export const note = part('NotePayload', 'A new note of an issue, merge request or snippet.', {
  object_kind: z.literal('note').describe('The kind of the event.'),
  user: user.describe('The author.'),
  project_id: integer('The id of the project.'),
  project: project.describe('The project.'),
  object_attributes: z
    .strictObject({
      id: integer('The id.'),
      note: text('The text.'),
      noteable_type: z.enum(['Issue', 'MergeRequest', 'Snippet']).describe('What it belongs to.'),
      noteable_id: integer('The id of what it belongs to.'),
      author_id: integer('The id of the author.').nullable(),
      project_id: integer('The id of the project.'),
      created_at: time('When it was created.'),
      updated_at: time('When it was last changed.'),
      attachment: z.null().describe('Always null.'),
      line_code: z.null().describe('Always null.'),
      commit_id: z.null().describe('Always null.'),
      st_diff: z.null().describe('Always null.'),
      system: flag('Whether Millrace wrote it.'),
      url: text('The URL of the note.'),
    })
    .describe('The note.'),
  repository: repository.describe('The repository of the project.'),
  issue: z.strictObject(issueFields).describe('The issue, of a note of an issue.').optional(),
  merge_request: z
    .strictObject(mergeRequestFields)
    .describe('The merge request, of a note of a merge request.')
    .optional(),
  snippet: snippet.describe('The snippet, of a note of a snippet.').optional(),
});

export type NotePayload = z.infer<typeof note>;
