import { trimEnd } from '../../../schema/kernel/trim.ts';
import type { AnnotatedTag, CommitRecord } from '../../../schema/ports/git/history.ts';
import { isSha } from '../names.ts';
import { type Decode, decoderFor } from './decode-text.ts';
import { noSignature, parseSignature } from './parse-signature.ts';

/**
 * Maximum bytes of a message; longer ones are truncated with an ellipsis, since a page of messages
 * is held in memory.
 */
const maxMessageBytes = 64 * 1024;
const maxLines = 25_000;
const maxParents = 100;
const ellipsis = '…';

/**
 * Parses a commit object, or the beginning of a large one. Never throws, because one commit must not
 * break the lists that it is in: what is missing or malformed is empty.
 */
export function parseCommit(id: string, content: Buffer): CommitRecord {
  const { headers, message, decode } = readObject(content);
  const signature = (name: Header) => signatureOf(headers[name][0], decode);
  const ids = (name: Header) =>
    headers[name].map((value) => value.toString('latin1')).filter(isSha);
  return {
    id,
    treeId: ids('tree')[0] ?? '',
    parentIds: ids('parent'),
    message,
    author: signature('author') ?? noSignature,
    committer: signature('committer') ?? noSignature,
  };
}

/** Parses a tag object, or the beginning of a large one. Never throws. */
export function parseTag(id: string, content: Buffer): AnnotatedTag {
  const { headers, message, decode } = readObject(content);
  return {
    id,
    message: trimEnd(message, /\n/),
    tagger: signatureOf(headers.tagger[0], decode),
  };
}

/** Truncates a text to a number of characters; copies it, so as not to retain the long one. */
export const shortened = (text: string, characters: number): string =>
  text.length > characters
    ? Buffer.from(text.slice(0, characters).replace(/[\ud800-\udbff]$/, '')).toString() + ellipsis
    : text;

const signatureOf = (line: Buffer | undefined, decode: Decode) =>
  line === undefined ? null : parseSignature(line, decode);

const newlineByte = 0x0a;
const spaceByte = 0x20;

/** The headers that are read. */
type Header = 'tree' | 'parent' | 'author' | 'committer' | 'tagger' | 'encoding';

/** Longer than the name of any header that is read. */
const maxNameBytes = 16;

function readObject(content: Buffer) {
  const end = content.indexOf('\n\n');
  const head = end < 0 ? content : content.subarray(0, end);
  const body = end < 0 ? content.subarray(content.length) : content.subarray(end + 2);
  const headers = readHeaders(head);
  const decode = decoderFor(headers.encoding[0] ?? null);
  const message =
    body.length > maxMessageBytes
      ? decode(body.subarray(0, maxMessageBytes), true) + ellipsis
      : decode(body);
  return { headers, message, decode };
}

/**
 * Reads the headers as bytes: an encoding is that of the texts in them, never of the lines. Others,
 * such as signatures and merged tags, are skipped, with their continuation lines, which begin with a
 * space.
 */
function readHeaders(head: Buffer): Record<Header, Buffer[]> {
  const headers: Record<Header, Buffer[]> = {
    tree: [],
    parent: [],
    author: [],
    committer: [],
    tagger: [],
    encoding: [],
  };
  for (let at = 0, left = maxLines; at < head.length && left > 0; left -= 1) {
    const newline = head.indexOf(newlineByte, at);
    const stop = newline < 0 ? head.length : newline;
    const space = head.subarray(at, Math.min(stop, at + maxNameBytes)).indexOf(spaceByte);
    const name = head.toString('latin1', at, at + Math.max(space, 0));
    if (Object.hasOwn(headers, name)) {
      const values = headers[name as Header];
      if (values.length < maxParents) values.push(head.subarray(at + space + 1, stop));
    }
    at = stop + 1;
  }
  return headers;
}
