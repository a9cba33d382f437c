import { sourceOf, threadsMarkup } from '../discussions/discussion.ts';
import { threadsPerPage } from '../discussions/place.ts';
import type { Thread } from '../discussions/threads.ts';
import { type Html, html } from '../kernel/html.ts';
import type { Visit } from '../kernel/page.ts';
import { type BelowLines, fileKey, mostLines } from './compared.ts';
import type { Diff } from './fields.ts';
import type { LineSource } from './line-source.ts';
import { lineKey, parseDiff } from './parse-diff.ts';

/** Pages of a discussion that are searched for threads on lines. */
const mostPages = 4;

interface OnLines {
  readonly current: readonly Thread[];
  /** How many threads are on other versions of the changes. */
  readonly outdated: number;
}

/** The threads on lines of a discussion's first 200. */
async function threadsOnLines(visit: Visit, source: LineSource): Promise<OnLines> {
  const { refs, place } = source;
  const current: Thread[] = [];
  let outdated = 0;
  const discussion = sourceOf(place.subject);
  for (let page = 1; page <= mostPages; page += 1) {
    const [{ threads, total }, commits] = await Promise.all([
      discussion.list(visit, page),
      source.commitsOn(visit, page),
    ]);
    for (const thread of threads) {
      if (!thread.position) continue;
      const commit = commits ? commits.get(thread.key) : refs;
      const isCurrent = commit?.headSha === refs.headSha && commit.baseSha === refs.baseSha;
      if (isCurrent) current.push(thread);
      else outdated += 1;
    }
    if (total <= page * threadsPerPage) break;
  }
  return { current, outdated };
}

interface LineThreads {
  readonly below: BelowLines;
  /** How many threads are on other versions of the changes. */
  readonly outdated: number;
  /** The keys of the threads below lines. */
  readonly keys: ReadonlySet<string>;
}

/** The threads of a discussion as they stand below the lines of changes. */
export async function lineThreads(
  visit: Visit,
  source: LineSource,
  diffs: readonly Diff[],
): Promise<LineThreads> {
  if (!visit.viewer) return { below: new Map(), outdated: 0, keys: new Set() };
  const { current: found, outdated } = await threadsOnLines(visit, source);
  const lines = linesWith(found, diffs);
  const current = found.filter(({ position }) => position && lines.has(placeOf(position)));
  const { place, canComment } = source;
  const markups = await threadsMarkup(visit, place, current, canComment);
  const below = new Map<string, Map<string, Html>>();
  for (const [index, { position }] of current.entries()) {
    const line = position && lines.get(placeOf(position));
    if (!line) continue;
    const inFile = below.get(line.file) ?? new Map<string, Html>();
    inFile.set(line.key, html`${inFile.get(line.key)}${markups[index]}`);
    below.set(line.file, inFile);
  }
  return { below, outdated, keys: new Set(current.map(({ key }) => key)) };
}

type Position = NonNullable<Thread['position']>;

const placeOf = ({ oldPath, newPath, oldLine, newLine }: Position): string =>
  [oldPath, newPath, oldLine ?? '', newLine ?? ''].join('\0');

/** The lines of files with threads that the diffs show, by their places. */
function linesWith(threads: readonly Thread[], diffs: readonly Diff[]) {
  const paths = new Set(threads.map(({ position }) => position?.newPath));
  const lines = new Map<string, { readonly file: string; readonly key: string }>();
  for (const diff of diffs.filter(({ newPath }) => paths.has(newPath))) {
    const file = fileKey(diff);
    for (const row of parseDiff(diff.diff, mostLines)) {
      if (!('oldPlace' in row)) continue;
      const { oldPath, newPath } = diff;
      const oldLine = row.kind === 'added' ? null : row.oldPlace;
      const newLine = row.kind === 'removed' ? null : row.newPlace;
      lines.set(placeOf({ oldPath, newPath, oldLine, newLine }), { file, key: lineKey(row) });
    }
  }
  return lines;
}
