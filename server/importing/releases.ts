import type { ProjectImport } from './project-import.ts';
import { tagShape } from './shapes.ts';
import { addTo } from './target.ts';
import { cut, longestText } from './texts.ts';

/** The release notes of tags, which older and newer servers list with the tags. */
export async function importReleases({
  source,
  path,
  target,
  texts,
  db,
  report,
}: ProjectImport): Promise<void> {
  for await (const page of source.pages(`${path}/repository/tags`, tagShape)) {
    for (const { name: tagName, release, commit } of page) {
      const text = release?.description?.trim() ?? '';
      if (text === '') continue;
      const createdAt = commit?.committed_date ?? new Date();
      const description = cut(texts.withLinks(text), longestText);
      const { count } = await addTo(target, db, (tx) =>
        tx.release.createMany({
          data: [{ projectId: target.id, tagName, description, createdAt }],
          skipDuplicates: true,
        }),
      );
      if (count > 0) report.add('releases', tagName);
    }
  }
}
