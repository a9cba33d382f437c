import type { Duplex } from 'node:stream';
import type { RefChange } from '../../schema/ports/git/address.ts';

/** The announcement of the hook: the quarantine and the reference updates. */
export interface PushAnnouncement {
  /** Empty when the push contains no objects, as with a deletion. */
  readonly quarantine: string;
  readonly changes: readonly RefChange[];
}

const maxAnnouncementBytes = 64 * 1024 * 1024;
const endMark = Buffer.from('\nend\n');
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

export const letThrough = (channel: Duplex) => channel.end('ok\n');

/** Refuses the push; the pusher sees each line of the text. */
export function refuse(channel: Duplex, text: string) {
  const lines = text.split('\n').map((line) => `> ${line.replace(/\p{Cc}/gu, ' ')}\n`);
  channel.end(`${lines.join('')}no\n`);
}

function parse(text: string): PushAnnouncement {
  const [first = '', ...rest] = text.slice(0, -endMark.length).split('\n');
  const quarantine = /^quarantine (.*)$/.exec(first)?.[1];
  if (quarantine === undefined) throw new Error('The hook sent an unexpected line');
  const changes = rest.map((line) => {
    const [, before, after, ref] = changeLine.exec(line) ?? [];
    if (!before || !after || !ref) throw new Error('The hook sent a malformed change');
    return { ref, before, after };
  });
  return { quarantine, changes };
}
