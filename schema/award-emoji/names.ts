import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** Unicode code points in hexadecimal, joined by `-` → its name, or several, the usual one first. */
type Shortcodes = Readonly<Record<string, string | readonly string[]>>;

interface Names {
  /** Every name → the one an emoji is stored by. */
  readonly usual: ReadonlyMap<string, string>;
  /** Characters, without variation selectors → the same. */
  readonly written: ReadonlyMap<string, string>;
}

/** Whether a picture or a letter is meant; people leave it out, and so does the list at times. */
const variation = /\uFE0F/g;

const codesOf = (file: string): [string, readonly string[]][] => {
  const path = createRequire(import.meta.url).resolve(`emojibase-data/en/shortcodes/${file}.json`);
  // read and not imported: as a module all of it would stay in memory
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
  // v4 clients use the first list's names; of the second those that mean nothing there
  for (const [character, names] of [...codesOf('joypixels'), ...codesOf('github')]) {
    const stored = written.get(character) ?? names[0] ?? '';
    written.set(character, stored);
    for (const name of names) if (!usual.has(name)) usual.set(name, stored);
  }
  return { usual, written };
}

let known: Names | null = null;

/** Read when it is first asked for: a start should not wait for it. */
function list(): Names {
  known ??= read();
  return known;
}

const longest = 100;
const betweenColons = /^:([^:\s]+):$/;

/** The name an emoji is stored by: `+1`, `:thumbsup:` and 👍 are `thumbsup`. Null: there is none. */
export function emojiNamed(text: string): string | null {
  if (text.length > longest) return null;
  const name = betweenColons.exec(text)?.[1] ?? text;
  return list().usual.get(name) ?? list().written.get(name.replace(variation, '')) ?? null;
}

/** The same of a note that says nothing else: a name between colons, or the character. */
export function emojiAlone(body: string): string | null {
  // most notes are longer, and whoever looks at one should not copy it first
  const text = body.length > 2 * longest ? '' : body.trim();
  const mayBe = betweenColons.test(text) || (text.length < 32 && /\P{ASCII}/u.test(text));
  return mayBe ? emojiNamed(text) : null;
}
