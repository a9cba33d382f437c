import type { Signature } from '../../../schema/ports/git/history.ts';
import type { Decode } from './decode-text.ts';

/** Maximum bytes of a name or an address; the rest is ignored. */
const maxPartBytes = 1000;
/** Maximum bytes of the time at the end of a line. */
const maxTimeBytes = 128;
/** The end of the year 9999. */
const maxSeconds = 253_402_300_799;
const openByte = 0x3c;
const closeByte = 0x3e;

/** What is shown of a line that is missing. */
export const noSignature: Signature = { name: '', email: '', at: instant(0, 0) };

/**
 * Parses `Name <email> <seconds> <offset>` as git does: the address ends at the first `>`, the time
 * follows the last one. A part that is missing or malformed is empty, a time 1970. Never throws.
 */
export function parseSignature(line: Buffer, decode: Decode): Signature {
  const part = (from: number, to: number) => {
    const cut = Math.min(to, from + maxPartBytes);
    return decode(line.subarray(from, cut), cut < to).trim();
  };
  const open = line.indexOf(openByte);
  const close = open < 0 ? -1 : line.indexOf(closeByte, open);
  if (close < 0) return withoutAddress(line, part);
  const time = line.subarray(line.lastIndexOf(closeByte) + 1).subarray(0, maxTimeBytes);
  const [seconds = '', zone = ''] = wordsOf(time);
  return { name: part(0, open), email: part(open + 1, close), at: at(seconds, zone) };
}

/** A line without an address: the name, and the time if it ends with one. */
function withoutAddress(line: Buffer, part: (from: number, to: number) => string): Signature {
  const end = line.subarray(Math.max(0, line.length - maxTimeBytes));
  const [seconds = '', zone = ''] = wordsOf(end).slice(-2);
  const hasTime = isNumber(seconds) && isZone(zone);
  const length = hasTime ? line.lastIndexOf(`${seconds} `) : line.length;
  return { name: part(0, Math.max(length, 0)), email: '', at: at(seconds, zone) };
}

const wordsOf = (bytes: Buffer) =>
  bytes
    .toString('latin1')
    .split(/[ \t]/)
    .filter((word) => word !== '');

const isNumber = (text: string) => /^-?\d+$/.test(text);
const isZone = (text: string) => /^[+-]\d+$/.test(text);

/** The time of two words; 1970 for others. */
function at(seconds: string, zone: string): string {
  if (!isNumber(seconds)) return instant(0, 0);
  const digits = isZone(zone) ? Math.abs(Number(zone)) : 0;
  const minutes = Math.floor(digits / 100) * 60 + (digits % 100);
  return instant(Number(seconds), zone.startsWith('-') ? -minutes : minutes);
}

/**
 * ISO 8601 with an offset from UTC in minutes; of one of a day or more, in UTC. Both the time in UTC
 * and the local one have a year of four digits, because other ones cannot be parsed or stored.
 */
function instant(seconds: number, offset: number): string {
  const validOffset = Math.abs(offset) < 24 * 60 ? offset : 0;
  const latest = maxSeconds - Math.max(validOffset, 0) * 60;
  const within = Math.min(Math.max(seconds, 0), latest);
  const local = new Date((within + validOffset * 60) * 1000).toISOString();
  if (validOffset === 0) return local;
  const two = (n: number) => String(n).padStart(2, '0');
  const [hours, minutes] = [Math.floor(Math.abs(validOffset) / 60), Math.abs(validOffset) % 60];
  return `${local.slice(0, -1)}${validOffset < 0 ? '-' : '+'}${two(hours)}:${two(minutes)}`;
}
