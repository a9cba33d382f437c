import { type NewObject, newObject } from './loose-objects.ts';

/** The parts of a commit object, as raw bytes. */
interface CommitParts {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly author: Buffer;
  readonly committer: Buffer;
  /** The name of the declared encoding, if any. */
  readonly encoding?: Buffer | null;
  readonly message: Buffer | string;
}

const newlineByte = 0x0a;

/** A commit to write. */
export function newCommit(parts: CommitParts): NewObject {
  const { tree, parents, author, committer, encoding, message } = parts;
  const line = (name: string, value: string | Buffer) => [
    Buffer.from(`${name} `),
    Buffer.from(value),
    Buffer.from([newlineByte]),
  ];
  const content = Buffer.concat([
    ...line('tree', tree),
    ...parents.flatMap((parent) => line('parent', parent)),
    ...line('author', author),
    ...line('committer', committer),
    ...(encoding ? line('encoding', encoding) : []),
    Buffer.from([newlineByte]),
    Buffer.from(message),
  ]);
  return newObject('commit', content);
}

/** The parts that a cherry-pick copies unchanged: encoding, message and, if there is one, the author. */
export function readAuthored(
  content: Buffer,
): Pick<CommitParts, 'encoding' | 'message'> & Partial<Pick<CommitParts, 'author'>> {
  const end = content.indexOf('\n\n');
  const head = end < 0 ? content : content.subarray(0, end + 1);
  const value = (name: string): Buffer | null => {
    const start = head.indexOf(`\n${name} `);
    if (start < 0) return null;
    const from = start + name.length + 2;
    const to = head.indexOf(newlineByte, from);
    return head.subarray(from, to < 0 ? head.length : to);
  };
  const author = value('author');
  return {
    ...(author && { author }),
    encoding: value('encoding'),
    message: end < 0 ? Buffer.alloc(0) : content.subarray(end + 2),
  };
}
