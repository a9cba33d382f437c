import { trimEnd } from '../../../schema/kernel/trim.ts';

const maxAttributesBytes = 100 * 1024 * 1024;
const maxAttributeLineBytes = 2048;

/** Characters that macOS file systems ignore. */
const ignoredCharacters = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** The canonical form of a name that some file system treats as a special git file. */
function plainName(path: string): string {
  // a colon starts the name of an NTFS stream
  const [file = ''] = path
    .slice(path.lastIndexOf('/') + 1)
    .replace(ignoredCharacters, '')
    .toLowerCase()
    .split(':', 1);
  const name = trimEnd(file, /[. ]/);
  return /^gitmod~\d$/.test(name) ? '.gitmodules' : name;
}

/** Whether git validates the content of this path. */
export const isSpecial = (path: string) => /^\.git(?:modules|attributes)$/.test(plainName(path));

/**
 * Whether git would accept this content at this path in a push. Git checks two files that every
 * clone reads, for lines that run commands or overwrite files (git fsck).
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
  // join continued lines
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
