import { trimEnd } from '../../../schema/kernel/trim.ts';
import type { AnnotatedTag, CommitRecord, Signature } from '../../../schema/ports/git/history.ts';

/**
 * Maximum bytes of a message; longer ones are truncated with an ellipsis, since a page of messages
 * is held in memory.
 */
const maxMessageBytes = 64 * 1024;
/** Maximum bytes of a header line; the rest is ignored. */
const maxLineBytes = 1024;
const maxLines = 25_000;
const maxParents = 100;
const ellipsis = '…';

/** Parses a commit object, or the beginning of a large one; throws if it is malformed. */
export function parseCommit(id: string, content: Buffer, isCut = false): CommitRecord {
  const { headers, message } = readObject(content);
  const [treeId] = headers.tree;
  const [author] = headers.author;
  const [committer] = headers.committer;
  if (!treeId || (!isCut && (author === undefined || committer === undefined))) {
    throw new Error(`Damaged commit ${id}`);
  }
  return {
    id,
    treeId,
    parentIds: headers.parent,
    message,
    author: parseSignature(author ?? ''),
    committer: parseSignature(committer ?? ''),
  };
}

/** Parses a tag object, or the beginning of a large one. */
export function parseTag(id: string, content: Buffer): AnnotatedTag {
  const { headers, message } = readObject(content);
  const [tagger] = headers.tagger;
  return {
    id,
    message: trimEnd(message, /\n/),
    tagger: tagger === undefined ? null : parseSignature(tagger),
  };
}

/** Truncates a text to a number of characters; copies it, so as not to retain the long one. */
export const shortened = (text: string, characters: number): string =>
  text.length > characters
    ? Buffer.from(text.slice(0, characters).replace(/[\ud800-\udbff]$/, '')).toString() + ellipsis
    : text;

const newlineByte = 0x0a;

/** The headers git writes first; headers with other names follow them. */
type Leading = 'tree' | 'parent' | 'author' | 'committer' | 'object' | 'type' | 'tag' | 'tagger';

function readObject(content: Buffer) {
  const end = content.indexOf('\n\n');
  const head = end < 0 ? content : content.subarray(0, end);
  const body = end < 0 ? content.subarray(content.length) : content.subarray(end + 2);
  const decode = decoderOf(head);
  const message =
    body.length > maxMessageBytes
      ? decode(body.subarray(0, characterAt(body, maxMessageBytes))) + ellipsis
      : decode(body);
  return { headers: leadingHeaders(head, decode), message };
}

function leadingHeaders(head: Buffer, decode: (bytes: Buffer) => string) {
  const headers: Record<Leading, string[]> = {
    tree: [],
    parent: [],
    author: [],
    committer: [],
    object: [],
    type: [],
    tag: [],
    tagger: [],
  };
  for (let at = 0, left = maxLines; at < head.length && left > 0; left -= 1) {
    const newline = head.indexOf(newlineByte, at);
    const stop = newline < 0 ? head.length : newline;
    const line = decode(head.subarray(at, Math.min(stop, at + maxLineBytes)));
    const space = line.indexOf(' ');
    const name = line.slice(0, Math.max(space, 0));
    if (!Object.hasOwn(headers, name)) break;
    const values = headers[name as Leading];
    if (values.length < maxParents) values.push(line.slice(space + 1));
    at = stop + 1;
  }
  return headers;
}

/** The start of the UTF-8 character at or before `at`. */
function characterAt(bytes: Buffer, at: number): number {
  let start = at;
  while (at - start < 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start -= 1;
  return start;
}

/** Uses the declared encoding; without one UTF-8, or Latin-1 if it is not valid UTF-8. */
function decoderOf(head: Buffer): (bytes: Buffer) => string {
  const label = /\nencoding ([\w.:-]+)/.exec(head.toString('latin1'))?.[1];
  if (label) {
    try {
      const decoder = new TextDecoder(label);
      return (bytes) => decoder.decode(bytes);
    } catch {
      // an unknown encoding name
    }
  }
  return (bytes) => {
    const text = bytes.toString('utf8');
    return text.includes('\ufffd') && !Buffer.from(text).equals(bytes)
      ? bytes.toString('latin1')
      : text;
  };
}

/** `Name <email> <seconds> <offset>`; old histories have signatures with a missing or invalid time. */
function parseSignature(text: string): Signature {
  const match = /^([^<]*?) ?<([^>]*)>(?: (-?\d+) ([+-])(\d\d)(\d\d))?/.exec(text);
  if (!match) return { name: text, email: '', at: instant(0, 0) };
  const [, name = '', email = '', seconds = '0', sign = '+', hours = '00', minutes = '00'] = match;
  const offset = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
  return { name, email, at: instant(Number(seconds), offset) };
}

const maxSeconds = 253_402_300_799;

/** ISO 8601 with an offset from UTC in minutes. */
function instant(seconds: number, offset: number): string {
  const validOffset = Math.abs(offset) < 24 * 60 ? offset : 0;
  const within = Math.min(Math.max(seconds, 0), maxSeconds - validOffset * 60);
  const local = new Date((within + validOffset * 60) * 1000).toISOString();
  if (validOffset === 0) return local;
  const two = (n: number) => String(n).padStart(2, '0');
  const [hours, minutes] = [Math.floor(Math.abs(validOffset) / 60), Math.abs(validOffset) % 60];
  return `${local.slice(0, -1)}${validOffset < 0 ? '-' : '+'}${two(hours)}:${two(minutes)}`;
}
