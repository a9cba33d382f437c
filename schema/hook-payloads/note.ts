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

const number = (description: string) => integer(description).nullable().optional();

const position = z.strictObject({
  base_sha: text('The id of the commit that the diff starts from.'),
  start_sha: text('The id of the commit of the target branch.'),
  head_sha: text('The id of the commit that the diff leads to.'),
  old_path: text('The path of the file before the change.'),
  new_path: text('The path of the file after the change.'),
  position_type: z.enum(['text', 'image']).describe('What the position is.'),
  old_line: number('The number of the line before the change; null for an added line.'),
  new_line: number('The number of the line after the change; null for a removed line.'),
  width: number('The width of the image in pixels.'),
  height: number('The height of the image in pixels.'),
  x: number('The distance of the point from the left edge in pixels.'),
  y: number('The distance of the point from the upper edge in pixels.'),
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
      line_code: text(
        'The line that a note on a diff is about, as `<SHA-1 of the path>_<old>_<new>`.',
      ).nullable(),
      commit_id: z.null().describe('Always null.'),
      st_diff: z.null().describe('Always null.'),
      system: flag('Whether Millrace wrote it.'),
      url: text('The URL of the note.'),
      type: z
        .enum(['DiscussionNote', 'DiffNote'])
        .describe('The kind of a note of a thread.')
        .optional(),
      discussion_id: text('The id of the discussion, of a note of a thread.').optional(),
      position: position.describe('The place in the diff, of a note on a diff.').optional(),
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
