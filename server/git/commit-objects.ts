import type { AnnotatedTag, CommitRecord, Signature } from '../../schema/ports/git-history.ts';

/** A commit object's content; throws on what is none. */
export function parseCommit(id: string, content: Buffer): CommitRecord {
  const { headers, body, decode } = readObject(content);
  const treeId = headers.find(({ name }) => name === 'tree')?.value;
  const author = headers.find(({ name }) => name === 'author')?.value;
  const committer = headers.find(({ name }) => name === 'committer')?.value;
  if (!treeId || author === undefined || committer === undefined) {
    throw new Error(`Damaged commit ${id}`);
  }
  return {
    id,
    treeId,
    parentIds: headers.filter(({ name }) => name === 'parent').map(({ value }) => value),
    message: decode(body),
    author: parseSignature(author),
    committer: parseSignature(committer),
  };
}

/** A tag object's content. */
export function parseTag(id: string, content: Buffer): AnnotatedTag {
  const { headers, body, decode } = readObject(content);
  const tagger = headers.find(({ name }) => name === 'tagger')?.value;
  return {
    id,
    message: decode(body).replace(/\n+$/, ''),
    tagger: tagger === undefined ? null : parseSignature(tagger),
  };
}

interface Header {
  readonly name: string;
  readonly value: string;
}

const NEWLINE = 0x0a;

/** Headers up to the first empty line; a line that begins with a space goes on with the one before. */
function readObject(content: Buffer) {
  const end = content.indexOf('\n\n');
  const head = end < 0 ? content : content.subarray(0, end);
  const body = end < 0 ? content.subarray(content.length) : content.subarray(end + 2);
  const decode = decoderOf(head);
  const headers: Header[] = [];
  for (let at = 0; at < head.length; ) {
    const newline = head.indexOf(NEWLINE, at);
    const stop = newline < 0 ? head.length : newline;
    const line = decode(head.subarray(at, stop));
    const space = line.indexOf(' ');
    if (space > 0) headers.push({ name: line.slice(0, space), value: line.slice(space + 1) });
    at = stop + 1;
  }
  return { headers, body, decode };
}

/** By the object's own word; what says nothing is UTF-8, or Latin-1 where it cannot be. */
function decoderOf(head: Buffer): (bytes: Buffer) => string {
  const label = /\nencoding ([\w.:-]+)/.exec(head.toString('latin1'))?.[1];
  if (label) {
    try {
      const decoder = new TextDecoder(label);
      return (bytes) => decoder.decode(bytes);
    } catch {
      // a name that nobody knows
    }
  }
  return (bytes) => {
    const text = bytes.toString('utf8');
    return text.includes('\ufffd') && !Buffer.from(text).equals(bytes)
      ? bytes.toString('latin1')
      : text;
  };
}

/** `Name <email> <seconds> <offset>`; history has signatures without a time, or with a wild one. */
function parseSignature(text: string): Signature {
  const found = /^(.*?) ?<([^>]*)>(?: (-?\d+) ([+-])(\d\d)(\d\d))?/s.exec(text);
  if (!found) return { name: text, email: '', at: instant(0, 0) };
  const [, name = '', email = '', seconds = '0', sign = '+', hours = '00', minutes = '00'] = found;
  const offset = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
  return { name, email, at: instant(Number(seconds), offset) };
}

const LATEST_SECONDS = 253_402_300_799;

/** ISO 8601 by a clock that is so many minutes ahead of UTC. */
export function instant(seconds: number, offset: number): string {
  const kept = Math.abs(offset) < 24 * 60 ? offset : 0;
  const within = Math.min(Math.max(seconds, 0), LATEST_SECONDS - kept * 60);
  const local = new Date((within + kept * 60) * 1000).toISOString();
  if (kept === 0) return local;
  const two = (n: number) => String(n).padStart(2, '0');
  const [hours, minutes] = [Math.floor(Math.abs(kept) / 60), Math.abs(kept) % 60];
  return `${local.slice(0, -1)}${kept < 0 ? '-' : '+'}${two(hours)}:${two(minutes)}`;
}
