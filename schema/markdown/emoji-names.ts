import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** Unicode code points in hexadecimal, joined by `-` → its names, the preferred one first. */
type Shortcodes = Readonly<Record<string, string | readonly string[]>>;

interface Names {
  /** Every name → the stored name. */
  readonly canonicalNames: ReadonlyMap<string, string>;
  /** Characters, without variation selectors → the stored name. */
  readonly byCharacter: ReadonlyMap<string, string>;
  /** The stored name → the character. */
  readonly characters: ReadonlyMap<string, string>;
}

/** The selector of emoji presentation; users omit it, and the list does in places. */
const variation = /\uFE0F/g;

const codesOf = (file: string): [string, readonly string[]][] => {
  const path = createRequire(import.meta.url).resolve(`emojibase-data/en/shortcodes/${file}.json`);
  // read at run time: an imported module would stay in memory as a whole
  const codes = JSON.parse(readFileSync(path, 'utf8')) as Shortcodes;
  return Object.entries(codes).map(([code, names]) => [characterOf(code), [names].flat()]);
};

const characterOf = (code: string): string =>
  String.fromCodePoint(...code.split('-').map((point) => Number.parseInt(point, 16))).replace(
    variation,
    '',
  );

function read(): Names {
  const usual = new Map<string, string>();
  const written = new Map<string, string>();
  // v4 clients use the first list's names; the second adds names that the first lacks
  for (const [character, names] of [...codesOf('joypixels'), ...codesOf('github')]) {
    const canonicalName = written.get(character) ?? names[0] ?? '';
    written.set(character, canonicalName);
    for (const name of names) if (!usual.has(name)) usual.set(name, canonicalName);
  }
  const characters = new Map([...written].map(([character, name]) => [name, character]));
  return { canonicalNames: usual, byCharacter: written, characters };
}

let loadedNames: Names | null = null;

/** Loaded at the first use, so that the start does not wait for it. */
function list(): Names {
  loadedNames ??= read();
  return loadedNames;
}

/** The last character that browsers may show as a black and white sign. */
const lastSign = 0xffff;

/** The emoji of a stored name, as `canonicalEmoji` gives it; null for an unknown name. */
export function characterOfEmoji(name: string): string | null {
  const character = list().characters.get(name);
  if (character === undefined) return null;
  const isSign = [...character].length === 1 && (character.codePointAt(0) ?? 0) <= lastSign;
  return isSign ? `${character}\uFE0F` : character;
}

const longest = 100;
const betweenColons = /^:([^:\s]+):$/;

/**
 * The stored name of an emoji: `+1`, `:thumbsup:` and 👍 are `thumbsup`; null for an unknown one.
 */
export function canonicalEmoji(text: string): string | null {
  if (text.length > longest) return null;
  const name = betweenColons.exec(text)?.[1] ?? text;
  return (
    list().canonicalNames.get(name) ?? list().byCharacter.get(name.replace(variation, '')) ?? null
  );
}

/**
 * The stored name of the emoji that is a note's whole text: a name between colons, or the
 * character.
 */
export function emojiOfBody(body: string): string | null {
  // most notes are longer; do not copy their text
  const text = body.length > 2 * longest ? '' : body.trim();
  const candidate = betweenColons.test(text) || (text.length < 32 && /\P{ASCII}/u.test(text));
  return candidate ? canonicalEmoji(text) : null;
}
