import type { BasicCredentials } from './access.ts';

const basicScheme = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i;
const maxHeaderLength = 8192;

/** Username and password of a Basic header; null without one, 'malformed' if it is invalid. */
export function readCredentials(header: string | undefined): BasicCredentials | 'malformed' | null {
  if (header === undefined || header === '') return null;
  const encoded = header.length <= maxHeaderLength ? basicScheme.exec(header)?.[1] : undefined;
  if (encoded === undefined) return 'malformed';
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 0 || /\p{Cc}/u.test(text)) return 'malformed';
  return { username: text.slice(0, colon), password: text.slice(colon + 1) };
}
