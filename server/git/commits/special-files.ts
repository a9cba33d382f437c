import { trimEnd } from '../../../schema/kernel/trim.ts';

const maxAttributesBytes = 100 * 1024 * 1024;
const maxAttributeLineBytes = 2048;

/** Characters that a Mac's file system does not see. */
const ignoredCharacters = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** What some file system takes for a name that git reads in every checkout, in its plain form. */
function plainName(path: string): string {
  // what follows a colon names a stream of the file (NTFS)
  const [file = ''] = path
    .slice(path.lastIndexOf('/') + 1)
    .replace(ignoredCharacters, '')
    .toLowerCase()
    .split(':', 1);
  const name = trimEnd(file, /[. ]/);
  return /^gitmod~\d$/.test(name) ? '.gitmodules' : name;
}

/** Whether git's programs look into what lies at this path. */
export const isSpecial = (path: string) => /^\.git(?:modules|attributes)$/.test(plainName(path));

/**
 * Whether git's programs would take this content at this path from a push. They look into two files
 * that every clone reads: lines that make them run or overwrite something are refused (git fsck).
 */
export function isWellFormed(path: string, content: Buffer): boolean {
  if (!isSpecial(path)) return true;
  return plainName(path) === '.gitmodules' ? isModules(content.toString()) : isAttributes(content);
}

const isAttributes = (content: Buffer) =>
  content.length <= maxAttributesBytes &&
  content
    .toString('latin1')
    .split('\n')
    .every((line) => line.length < maxAttributeLineBytes);

function isModules(text: string): boolean {
  // continued lines are read as one
  const lines = text.replace(/\\\r?\n/g, '').split('\n');
  return lines.every((line) => {
    const name = /^\s*\[\s*submodule\s+"((?:[^"\\]|\\.)*)"/i.exec(line)?.[1];
    if (name?.replace(/\\(.)/g, '$1').split(/[/\\]/).includes('..')) return false;
    const [, key = '', given = ''] = /(?:^|\])\s*(url|path|update)\s*=(.*)$/is.exec(line) ?? [];
    const value = given.replace(/["\s]/g, '');
    if (key.toLowerCase() === 'update') return !value.startsWith('!');
    return !value.startsWith('-') && !/%0a|\\n/i.test(value);
  });
}
