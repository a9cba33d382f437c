import { trimEdges } from '../../../schema/kernel/trim.ts';
import type { Writer } from '../../../schema/ports/git/writing.ts';

/** The name and address as git would write them, with the time `at` in UTC. */
export const signedBy = ({ name, email }: Writer, at = new Date()) => ({
  name: cleaned(name) || cleaned(email) || 'nobody',
  email: cleaned(email),
  timestamp: Math.floor(at.getTime() / 1000),
  timezoneOffset: 0,
});

/** `Name <email> <seconds> +0000`, for a commit or tag written now. */
export function signatureOf(writer: Writer): Buffer {
  const { name, email, timestamp } = signedBy(writer);
  return Buffer.from(`${name} <${email}> ${timestamp} +0000`);
}

/** Removes characters that would end the line or one of its parts. */
const cleaned = (text: string) => trimEdges(text.replace(/[\0\n\r<>]/g, ''), /[\s.,:;"'\\]/);
