import { Commit, type ProjectCommit } from '../commits/types.ts';
import { builder } from '../kernel/builder.ts';
import type { Context } from '../kernel/context.ts';
import { heavyCost } from '../kernel/cost.ts';
import { invalid } from '../kernel/errors.ts';
import { publiclyNullable } from '../kernel/public.ts';
import { File, type FileRecord } from './types.ts';

const longestFile = 1024 * 1024;
/** Of all ranges together: each shows the whole message of its commit. */
const mostCharacters = 8 * 1024 * 1024;
const rangesExpected = 50;
const lastLine = 2 ** 31 - 1;

interface Blame {
  readonly commit: ProjectCommit;
  readonly lines: readonly string[];
}

const BlameRange = builder.objectRef<Blame>('BlameRange').implement({
  description: 'Consecutive lines of a file that the same commit wrote.',
  fields: (t) => ({
    commit: t.expose('commit', {
      type: Commit,
      description: 'The commit that last changed the lines.',
    }),
    lines: t.stringList({
      description: 'The lines, without line breaks.',
      resolve: ({ lines }) => [...lines],
    }),
  }),
});

builder.objectField(File, 'blame', (t) =>
  t.field({
    type: [BlameRange],
    description:
      'The commits that last changed the lines of the file. An error BAD_USER_INPUT for a file above 1 MiB, or if there are too many lines or changes: then ask for fewer lines.',
    extensions: publiclyNullable,
    complexity: { field: heavyCost, multiplier: rangesExpected },
    args: {
      firstLine: t.arg.int({ description: 'The first line, from 1. Default: 1.' }),
      lastLine: t.arg.int({
        description: 'The last line, which may be beyond the end. Default: the last of the file.',
      }),
    },
    resolve: (file, { firstLine, lastLine }, ctx) =>
      readBlame(file, { first: firstLine ?? 1, last: lastLine ?? undefined }, ctx),
  }),
);

interface Lines {
  readonly first: number;
  readonly last?: number | undefined;
}

async function readBlame(
  { repository, commitId, path, id, size }: FileRecord,
  { first, last = lastLine }: Lines,
  { git, request }: Pick<Context, 'git' | 'request'>,
): Promise<Blame[]> {
  if (first < 1 || last < first) throw invalid({ firstLine: ['must not be after the last line'] });
  const content = size > longestFile ? null : await git.readBlob(repository, id, longestFile);
  if (content === null) throw tooLarge();
  if (first > countLines(content)) return [];
  const lines = { commit: commitId, path, first, last };
  const ranges = await git.blame(repository, lines, request.signal);
  if (ranges === null) throw tooLarge();
  const ids = [...new Set(ranges.map(({ commitId }) => commitId))];
  const commits = new Map(
    (await git.commits(repository, ids)).map((commit) => [commit.id, { ...commit, repository }]),
  );
  const blames: Blame[] = [];
  let characters = 0;
  for (const { commitId, lines } of ranges) {
    const commit = commits.get(commitId);
    if (!commit) continue;
    characters += commit.message.length;
    if (characters > mostCharacters) throw tooLarge();
    blames.push({ commit, lines });
  }
  return blames;
}

const tooLarge = () => invalid({ base: ['has too many lines or changes; ask for fewer lines'] });

const newlineByte = 0x0a;

function countLines(content: Buffer): number {
  let count = content.length > 0 && content.at(-1) !== newlineByte ? 1 : 0;
  for (let at = content.indexOf(newlineByte); at >= 0; at = content.indexOf(newlineByte, at + 1)) {
    count += 1;
  }
  return count;
}
