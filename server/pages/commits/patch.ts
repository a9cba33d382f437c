import { type FileResponse, textResponse } from '../../../rest-facade/kernel/raw.ts';
import { graphql } from '../../../schema/client/graphql.ts';
import { invalid } from '../../../schema/kernel/errors.ts';
import { type Diff, diffFields } from '../diffs/fields.ts';
import type { Project } from '../frame/project-head.ts';
import type { Visit } from '../kernel/page.ts';
import { mailOf } from './patch-mail.ts';

const commitDocument = graphql(
  `query PatchedCommit($project: ID!, $sha: String!) {
    repository(project: $project) {
      commit(ref: $sha) { id message author { name email at } diffs { ...BrowsedDiffFields } }
    }
  }`,
  [diffFields],
);

const commitOf = async (visit: Visit, project: Project, sha: string) =>
  (await visit.ask(commitDocument, { project: String(project.id), sha })).repository.commit;

/** A commit's changes in git's format. */
export async function sendDiff(visit: Visit, project: Project, sha: string): Promise<FileResponse> {
  const { id, diffs } = await commitOf(visit, project, sha);
  return textFile(patchOf(diffs), `${id.slice(0, 8)}.diff`);
}

/** A commit as a mail that `git am` applies. */
export async function sendPatch(
  visit: Visit,
  project: Project,
  sha: string,
): Promise<FileResponse> {
  const commit = await commitOf(visit, project, sha);
  return textFile(mailOf(commit, patchOf(commit.diffs)), `${commit.id.slice(0, 8)}.patch`);
}

/** A text file that the browser shows. */
export function textFile(text: string, name: string): FileResponse {
  const content = Buffer.from(text);
  return textResponse(content, { name, size: content.length });
}

/** The changes of files in git's format. Throws if the core left lines out. */
export function patchOf(diffs: readonly Diff[]): string {
  return diffs.map(fileOf).join('');
}

function fileOf(file: Diff): string {
  const { oldPath, newPath, aMode, bMode, isNew, isDeleted, isRenamed, similarity, diff } = file;
  const [from, to] = [quoted(`a/${oldPath}`), quoted(`b/${newPath}`)];
  const isMoved = !isNew && !isDeleted && aMode !== bMode;
  const lines = [
    `diff --git ${from} ${to}`,
    isMoved && `old mode ${aMode}\nnew mode ${bMode}`,
    isNew && `new file mode ${bMode}`,
    isDeleted && `deleted file mode ${aMode}`,
    isRenamed && `similarity index ${similarity}%`,
    isRenamed && `rename from ${quoted(oldPath)}\nrename to ${quoted(newPath)}`,
    indexOf(file),
  ];
  const text = diff === '' || diff.endsWith('\n') ? diff : `${diff}\n`;
  return `${lines.filter((line) => line !== false && line !== '').join('\n')}\n${text}`;
}

const none = '0'.repeat(40);
const emptyBlob = 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391';

/** The line with the ids of the contents; '' if only the name or mode changed. */
function indexOf({ oldBlob, newBlob, aMode, bMode, diff }: Diff): string {
  if (oldBlob === newBlob) return '';
  const isEmpty = [oldBlob, newBlob].every((id) => id === null || id === emptyBlob);
  if (diff === '' && !isEmpty) throw invalid({ base: ['The changes are too large for a patch'] });
  return `index ${oldBlob ?? none}..${newBlob ?? none}${aMode === bMode ? ` ${bMode}` : ''}`;
}

const escapes: Readonly<Record<string, string>> = { '\n': '\\n', '\t': '\\t', '\r': '\\r' };

/** A path as git writes it: in quotes if it has control characters, quotes or backslashes. */
function quoted(path: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: git quotes control characters
  const special = /[\u0000-\u001f"\\\u007f]/g;
  const text = path.replace(
    special,
    (character) =>
      escapes[character] ??
      (/["\\]/.test(character)
        ? `\\${character}`
        : `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`),
  );
  return text === path ? path : `"${text}"`;
}
