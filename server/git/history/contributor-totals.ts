import { GitFailure } from '../process/run.ts';

/** The counts of one author, named by one of the commits. */
export interface AuthorTotals {
  /** The author's e-mail address, or the id of a commit that declares an encoding. */
  readonly key: string;
  /** The id of a commit of the author. */
  readonly commitId: string;
  commits: number;
  additions: number;
  deletions: number;
}

const commitMark = 2;
const maxPartBytes = 1024 * 1024;
/** Maximum bytes of an address as a key; longer ones are cut. */
const maxKeyBytes = 1024;
const idLength = 40;
const lineCounts = /^\n?(\d+|-)\t(\d+|-)\t/;
const emptyBuffer = Buffer.alloc(0);
/** A renamed file is followed by its old and new name. */
const partsOfRename = 2;

/**
 * Parses the output of `git log -z --numstat` incrementally and adds up the counts. Git converts the
 * lines of a commit from the encoding that it declares, which leaves nothing of them if that is wrong:
 * such commits are counted one by one, and the caller reads their authors.
 */
export function contributorTotals() {
  const authors = new Map<string, AuthorTotals>();
  let current: AuthorTotals | null = null;
  let rest: Buffer = emptyBuffer;
  let skipped = 0;
  let isInLongPart = false;

  const authorOf = (header: Buffer): AuthorTotals => {
    const text = header.toString('latin1', 1, idLength + 1 + maxKeyBytes);
    const commitId = text.slice(0, idLength);
    const [encoding = '', email = ''] = text.slice(idLength).split('\x02', 2);
    const key = encoding === '' ? `<${email}` : commitId;
    const author = authors.get(key) ?? { key, commitId, commits: 0, additions: 0, deletions: 0 };
    authors.set(key, author);
    author.commits += 1;
    return author;
  };

  const readPart = (part: Buffer, isCut = false) => {
    if (skipped > 0) {
      skipped -= 1;
      return;
    }
    if (part.length === 0) return;
    if (part[0] === commitMark) {
      current = authorOf(part);
      return;
    }
    const [start = '', added, deleted] = lineCounts.exec(part.toString('latin1', 0, 64)) ?? [];
    if (!start || !current) throw new GitFailure('log', 'sent no line counts');
    current.additions += Number(added) || 0;
    current.deletions += Number(deleted) || 0;
    if (start.length === part.length && !isCut) skipped = partsOfRename;
  };

  return {
    read: (chunk: Buffer): true => {
      const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
      let at = 0;
      for (let nul = bytes.indexOf(0); nul >= 0; nul = bytes.indexOf(0, at)) {
        if (!isInLongPart) readPart(bytes.subarray(at, nul));
        isInLongPart = false;
        at = nul + 1;
      }
      rest = isInLongPart ? emptyBuffer : Buffer.from(bytes.subarray(at));
      if (rest.length > maxPartBytes) {
        // its beginning has all that counts
        readPart(rest, true);
        rest = emptyBuffer;
        isInLongPart = true;
      }
      return true;
    },
    /** In the order of their newest commits; excludes a last part that is not terminated by NUL. */
    authors: (): readonly AuthorTotals[] => [...authors.values()],
  };
}

/** The commit's id, its encoding, and the author's e-mail address as recorded, without a mailmap. */
contributorTotals.format = '%x02%H%e%x02%ae';
