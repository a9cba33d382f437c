import type { z } from 'zod';
import type { ProjectImport } from './project-import.ts';
import { noteShape } from './shapes.ts';
import { SourceError } from './source.ts';
import { withNames } from './texts.ts';

/** In characters, of all notes of one issue, merge request or snippet: they are stored together. */
const longestDiscussion = 64 * 1024 * 1024;

/** The columns of a note, without its parent. */
export interface ImportedNote {
  readonly authorId: number;
  readonly body: string;
  readonly isSystem: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** `*On* app.ts, line 3:` for a note on a line of a diff. */
function placeOf({ position }: z.infer<typeof noteShape>): string {
  const path = position?.new_path ?? position?.old_path;
  const line = position?.new_line ?? position?.old_line;
  if (!path || !line) return '';
  return `*On \`${path.replace(/[`\p{Cc}]/gu, '')}\`, line ${line}:*\n\n`;
}

/** The notes of the record at `path` of the source, oldest first. Throws if they are unreasonably long. */
export async function readNotes(
  path: string,
  { source, texts, references, report }: ProjectImport,
): Promise<readonly ImportedNote[]> {
  const notes: ImportedNote[] = [];
  let length = 0;
  let hidden = 0;
  const order = { order_by: 'created_at', sort: 'asc' };
  for await (const page of source.pages(`${path}/notes`, noteShape, order)) {
    for (const note of page) {
      // here every reader would see it
      if (note.internal || note.confidential) {
        hidden += 1;
        continue;
      }
      const { author, system: isSystem, created_at: createdAt, updated_at: updatedAt } = note;
      const { authorId, text: body } = isSystem
        ? await texts.creditSystemNote(withNames(note.body, references), author)
        : await texts.credit(texts.withLinks(`${placeOf(note)}${note.body}`), author);
      length += body.length;
      if (length > longestDiscussion) throw new SourceError(`${path}: its notes are too long`);
      notes.push({ authorId, body, isSystem, createdAt, updatedAt });
    }
  }
  if (hidden > 0) report.leaveOut(`${path}: ${hidden} internal notes`);
  return notes;
}

/** How many of them users wrote. */
export const countOfUsers = (notes: readonly ImportedNote[]): number =>
  notes.filter(({ isSystem }) => !isSystem).length;
