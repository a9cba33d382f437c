import type { z } from 'zod';
import { storable } from '../../schema/kernel/storable.ts';
import { readNotes } from './notes.ts';
import type { ProjectImport } from './project-import.ts';
import { snippetShape } from './shapes.ts';
import { addTo } from './target.ts';
import { cut, longestText, longestTitle } from './texts.ts';

/** In bytes: the longest content that a snippet can have here, if each character needs four. */
const longestContent = 4 * longestText;

/** The snippets of the project with their notes. */
export async function importSnippets(project: ProjectImport): Promise<void> {
  const { source, path, target, report } = project;
  for await (const page of source.pages(`${path}/snippets`, snippetShape)) {
    for (const snippet of page) {
      await report.part(`${target.fullPath} snippet ${snippet.id}`, () =>
        importSnippet(snippet, project),
      );
    }
  }
}

async function importSnippet(
  snippet: z.infer<typeof snippetShape>,
  project: ProjectImport,
): Promise<void> {
  const { source, path, target, original, texts, people, importer, db, report } = project;
  const title = cut(snippet.title, longestTitle);
  // a snippet has no number, but no two are created in the same millisecond with the same title
  const identity = { projectId: target.id, createdAt: snippet.created_at, title };
  if ((await db.snippet.count({ where: identity })) > 0) return;
  const place = `${path}/snippets/${snippet.id}`;
  const content = await source.readText(`${place}/raw`, longestContent);
  const credited = await texts.credit(snippet.description ?? '', snippet.author);
  const authorId = (await people.find(snippet.author)) ?? importer.id;
  const notes = await readNotes(place, project);
  const isAdded = await addTo(target, db, async (tx) => {
    if ((await tx.snippet.count({ where: identity })) > 0) return false;
    await tx.snippet.create({
      data: {
        ...identity,
        authorId,
        fileName: cut((snippet.file_name ?? '').replace(/\p{Cc}/gu, ''), longestTitle),
        description: credited.text === '' ? null : credited.text,
        content: cut(storable(content), longestText),
        visibility: snippet.visibility ?? original.visibility,
        updatedAt: snippet.updated_at,
        notes: { createMany: { data: [...notes] } },
      },
      select: { id: true },
    });
    return true;
  });
  if (!isAdded) return;
  report.add('snippets', title);
  report.add('notes', title, notes.length);
}
