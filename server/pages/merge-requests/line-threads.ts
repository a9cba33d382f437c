import { graphql } from '../../../schema/client/graphql.ts';
import { type BelowLines, fileKey } from '../diffs/compared.ts';
import type { Diff } from '../diffs/fields.ts';
import { sourceOf, threadsMarkup } from '../discussions/discussion.ts';
import { type DiscussionPlace, type Noteable, threadsPerPage } from '../discussions/place.ts';
import type { Thread } from '../discussions/threads.ts';
import { type Html, html } from '../kernel/html.ts';
import type { Visit } from '../kernel/page.ts';
import type { DiffRefs } from './line-comments.ts';

/** Pages of the discussion that are searched for threads on lines. */
const mostPages = 4;

const positions = graphql(`
  query DiscussionPositions($noteable: NoteableInput!, $page: Int!, $perPage: Int!) {
    discussions(noteable: $noteable, page: $page, perPage: $perPage) {
      nodes { key firstNote { thread { position { type baseSha headSha } } } }
    }
  }
`);

/** The threads on lines of a discussion's first 200, and the commits that their positions name. */
async function threadsOnLines(visit: Visit, noteable: Noteable) {
  const threads: Thread[] = [];
  const commits = new Map<string, { readonly baseSha: string; readonly headSha: string }>();
  const source = sourceOf(noteable);
  for (let page = 1; page <= mostPages; page += 1) {
    const [listed, { discussions }] = await Promise.all([
      source.list(visit, page),
      visit.ask(positions, { noteable, page, perPage: threadsPerPage }),
    ]);
    threads.push(...listed.threads.filter(({ position }) => position !== null));
    for (const { key, firstNote } of discussions.nodes) {
      const position = firstNote.thread?.position;
      if (position?.type === 'text') commits.set(key, position);
    }
    if (listed.total <= page * threadsPerPage) break;
  }
  return { threads, commits };
}

interface OnLines {
  readonly below: BelowLines;
  /** Threads on another version of the changes. */
  readonly outdated: number;
}

/** The threads of a merge request, as they stand below the lines of its changes. */
export async function lineThreads(
  visit: Visit,
  place: DiscussionPlace & { readonly subject: Noteable },
  { diffs, refs }: { readonly diffs: readonly Diff[]; readonly refs: DiffRefs | null },
  canComment: boolean,
): Promise<OnLines> {
  if (!visit.viewer || !refs) return { below: new Map(), outdated: 0 };
  const { threads, commits } = await threadsOnLines(visit, place.subject);
  const files = new Map(diffs.map((diff) => [`${diff.oldPath}\0${diff.newPath}`, fileKey(diff)]));
  const shown = threads.flatMap((thread) => {
    const { position, key } = thread;
    const commit = commits.get(key);
    const file = position && files.get(`${position.oldPath}\0${position.newPath}`);
    const isCurrent = commit?.headSha === refs.headSha && commit.baseSha === refs.baseSha;
    if (!position || !file || !isCurrent) return [];
    return [{ thread, file, line: `${position.oldLine ?? ''}:${position.newLine ?? ''}` }];
  });
  const markups = await threadsMarkup(
    visit,
    place,
    shown.map(({ thread }) => thread),
    canComment,
  );
  const below = new Map<string, Map<string, Html>>();
  for (const [index, { file, line }] of shown.entries()) {
    const lines = below.get(file) ?? new Map<string, Html>();
    lines.set(line, html`${lines.get(line)}${markups[index]}`);
    below.set(file, lines);
  }
  return { below, outdated: threads.length - shown.length };
}
