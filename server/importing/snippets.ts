import { readNotes } from './notes.ts';
import type { ProjectImport } from './project-import.ts';
import { snippetShape } from './shapes.ts';
import { addTo } from './target.ts';
import { cut, longestText, longestTitle } from './texts.ts';

/** In bytes: the longest content that a snippet can have here, if each character needs four. */
const longestContent = 4 * longestText;

/** The snippets of the project with their notes. */
export async function importSnippets(project: ProjectImport): Promise<void> {
  const { source, path, target, original, texts, people, importer, db, report } = project;
  for await (const page of source.pages(`${path}/snippets`, snippetShape)) {
    for (const snippet of page) {
      const title = cut(snippet.title, longestTitle);
      // a snippet has no number, but no two are made in the same millisecond with the same title
      const identity = { projectId: target.id, createdAt: snippet.created_at, title };
      if ((await db.snippet.count({ where: identity })) > 0) continue;
      const place = `${path}/snippets/${snippet.id}`;
      const content = await source.readText(`${place}/raw`, longestContent);
      const credited = await texts.credit(snippet.description ?? '', snippet.author);
      const notes = await readNotes(place, project);
      const isAdded = await addTo(target, db, async (tx) => {
        if ((await tx.snippet.count({ where: identity })) > 0) return false;
        await tx.snippet.create({
          data: {
            ...identity,
            authorId: (await people.find(snippet.author)) ?? importer.id,
            fileName: cut((snippet.file_name ?? '').replace(/\p{Cc}/gu, ''), longestTitle),
            description: credited.text === '' ? null : credited.text,
            content: cut(content.replaceAll('\0', '').toWellFormed(), longestText),
            visibility: snippet.visibility ?? original.visibility,
            updatedAt: snippet.updated_at,
            notes: { createMany: { data: [...notes] } },
          },
          select: { id: true },
        });
        return true;
      });
      if (!isAdded) continue;
      report.add('snippets', title);
      report.add('notes', title, notes.length);
    }
  }
}
