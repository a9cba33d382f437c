import { isUtf8 } from 'node:buffer';
import type { Contributor } from '../../../schema/ports/git/contributors.ts';
import { GitFailure } from '../process/run.ts';

type Counting = { -readonly [Key in keyof Contributor]: Contributor[Key] };

const commitMark = 2;
const maxPartBytes = 1024 * 1024;
const lineCounts = /^\n?(\d+|-)\t(\d+|-)\t/;
const emptyBuffer = Buffer.alloc(0);
/** A renamed file is followed by its old and new name. */
const partsOfRename = 2;

/** Parses the output of `git log -z --numstat` incrementally and adds up the counts. */
export function contributorTotals() {
  const people = new Map<string, Counting>();
  let current: Counting | null = null;
  let rest: Buffer = emptyBuffer;
  let skipped = 0;

  const commitOf = (header: Buffer): Counting => {
    const text = header.toString(isUtf8(header) ? 'utf8' : 'latin1', 1);
    const end = text.indexOf('\x02');
    const email = text.slice(0, end);
    const existing = people.get(email);
    const person = existing ?? {
      name: text.slice(end + 1),
      email,
      commits: 0,
      additions: 0,
      deletions: 0,
    };
    if (!existing) people.set(email, person);
    person.commits += 1;
    return person;
  };

  const readPart = (part: Buffer) => {
    if (skipped > 0) {
      skipped -= 1;
      return;
    }
    if (part.length === 0) return;
    if (part[0] === commitMark) {
      current = commitOf(part);
      return;
    }
    const [start = '', added, deleted] = lineCounts.exec(part.toString('latin1', 0, 64)) ?? [];
    if (!start || !current) throw new GitFailure('log', 'sent no line counts');
    current.additions += Number(added) || 0;
    current.deletions += Number(deleted) || 0;
    if (start.length === part.length) skipped = partsOfRename;
  };

  return {
    read: (chunk: Buffer): true => {
      const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
      let at = 0;
      for (let nul = bytes.indexOf(0); nul >= 0; nul = bytes.indexOf(0, at)) {
        readPart(bytes.subarray(at, nul));
        at = nul + 1;
      }
      rest = Buffer.from(bytes.subarray(at));
      if (rest.length > maxPartBytes) throw new GitFailure('log', 'lists a name that is too long');
      return true;
    },
    /** In the order of their newest commits; excludes a last part that is not terminated by NUL. */
    contributors: (): readonly Contributor[] => [...people.values()],
  };
}

/** Email and name as recorded in the commit, without a mailmap. */
contributorTotals.format = '%x02%ae%x02%an';
