import type { Duplex } from 'node:stream';
import type { RefChange } from '../../schema/ports/git/address.ts';

/** The announcement of the hook: the quarantine, the options and the reference updates. */
export interface PushAnnouncement {
  /** Empty when the push contains no objects, as with a deletion. */
  readonly quarantine: string;
  /** The options of `git push -o`. */
  readonly options: readonly string[];
  readonly changes: readonly RefChange[];
}

const maxAnnouncementBytes = 64 * 1024 * 1024;
const endMark = Buffer.from('\nend\n');
const optionPrefix = 'option ';
// names may contain any non-ASCII blank, such as U+3000
const changeLine = /^([0-9a-f]{40}) ([0-9a-f]{40}) (refs\/[^ ]+)$/;

/** Reads the hook's announcement; null when git does not run the hook. */
export async function readAnnouncement(channel: Duplex): Promise<PushAnnouncement | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  let tail: Buffer = Buffer.alloc(0);
  for await (const chunk of channel.iterator({ destroyOnReturn: false })) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > maxAnnouncementBytes) throw new Error('The push changes too many references');
    tail = Buffer.concat([tail, chunk]).subarray(-endMark.length);
    if (tail.equals(endMark)) return parse(Buffer.concat(chunks, size).toString());
  }
  if (size > 0) throw new Error('The hook was cut off');
  return null;
}

/** Lets the references move; the pusher sees each line. */
export const letThrough = (channel: Duplex, lines: readonly string[] = []) =>
  channel.end(`${shown(lines)}ok\n`);

/** Refuses the push; the pusher sees each line of the text. */
export const refuse = (channel: Duplex, text: string) =>
  channel.end(`${shown(text.split('\n'))}no\n`);

const shown = (lines: readonly string[]) =>
  lines.map((line) => `> ${line.replace(/\p{Cc}/gu, ' ')}\n`).join('');

function parse(text: string): PushAnnouncement {
  const [first = '', ...rest] = text.slice(0, -endMark.length).split('\n');
  const quarantine = /^quarantine (.*)$/.exec(first)?.[1];
  if (quarantine === undefined) throw new Error('The hook sent an unexpected line');
  const isOption = (line: string) => line.startsWith(optionPrefix);
  const options = rest.filter(isOption).map((line) => line.slice(optionPrefix.length));
  const changes = rest.flatMap((line) => {
    if (isOption(line)) return [];
    const [, before, after, ref] = changeLine.exec(line) ?? [];
    if (!before || !after || !ref) throw new Error('The hook sent a malformed change');
    return [{ ref, before, after }];
  });
  return { quarantine, options, changes };
}
