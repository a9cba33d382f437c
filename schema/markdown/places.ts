import { encoded, percentDecoded } from '../kernel/percent-encoding.ts';
import type { Linking } from './linking.ts';

/** Addresses that a browser does not treat as a path. */
const schemed = /^[a-z][a-z0-9+.-]*:/i;

/** Whether a link may lead there: an address of the web, of mail, or a path. */
export function isSafeAddress(address: string): boolean {
  const text = address.trim();
  return !schemed.test(text) || /^(?:https?|mailto):/i.test(text);
}

/** Whether an address leads to another site. */
export const isElsewhere = (address: string) => schemed.test(address) || address.startsWith('//');

/** Keeps ids of a text apart from ours. */
export const anchor = (text: string) =>
  `text-${text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s+/g, '-')}`;

/** The address that a link of a text leads to. */
export const linkAt = (address: string, linking: Linking): string =>
  placed(address, (path) => linkTo(path, linking));

/** The address of an image of a text. */
export const pictureAt = (address: string, linking: Linking): string =>
  placed(address, (path) => pictureTo(path, linking));

function placed(address: string, place: (path: string) => string): string {
  if (address.startsWith('#')) return `#${anchor(decoded(address.slice(1)))}`;
  if (address === '' || isElsewhere(address)) return address;
  const [, path = '', rest = ''] = /^([^?#]*)(.*)$/s.exec(address) ?? [];
  return path === '' ? rest : place(decoded(path)) + rest;
}

const decoded = (path: string): string => percentDecoded(path) ?? path;

/** No target. */
const nowhere = '#';

function linkTo(path: string, linking: Linking): string {
  const page = linking.isWiki ? path.replace(/\.(?:md|markdown)$/, '') : path;
  return uploadAt(path, linking) ?? placeBelow(linking.link, page, linking);
}

const pictureTo = (path: string, linking: Linking): string =>
  uploadAt(path, linking) ?? placeBelow(linking.picture, path, linking);

const uploadAt = (path: string, { uploads }: Linking): string | null =>
  uploads !== null && /^\/?uploads\/(?!\.\.?(?:\/|$))[^/]+\/(?!\.\.?$)[^/]+$/.test(path)
    ? `${uploads}/${encoded(path.replace(/^\//, ''))}`
    : null;

function placeBelow(address: string, path: string, { folder, isWiki }: Linking): string {
  const target = resolvePath(folder, path);
  if (target === null) return nowhere;
  const name = target === '' && isWiki ? 'home' : target;
  return name === '' && address !== '' ? address : `${address}/${encoded(name)}`;
}

/** Resolves `../a/./b` in `lib/x` to `lib/a/b`; null outside of the root. */
function resolvePath(folder: string, path: string): string | null {
  const steps = path.startsWith('/') || folder === '' ? [] : folder.split('/');
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') steps.push(part);
    else if (steps.pop() === undefined) return null;
  }
  return steps.join('/');
}
