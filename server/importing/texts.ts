import type { People } from './people.ts';
import type { Person } from './shapes.ts';

/** In characters: of descriptions, notes and contents, as the domains limit them. */
export const longestText = 2 ** 20;
export const longestTitle = 255;

/** The text, cut to `most` characters. */
export const cut = (text: string, most: number): string =>
  text.length <= most ? text : [...text.slice(0, 2 * most)].slice(0, most).join('');

/** A name that cannot format the text around it. */
const plain = (name: string) => cut(name.replace(/[\p{Cc}\\`*_[\]<>#@~!]/gu, ''), 100);

const nameOf = ({ name, username }: Person) => `${plain(name)} (${plain(username)})`;

/** The ids by which the source's system notes refer to labels and milestones, and their names. */
export interface References {
  readonly labels: ReadonlyMap<number, string>;
  readonly milestones: ReadonlyMap<number, string>;
}

const quoted = (sign: string, name: string | undefined, text: string) =>
  name === undefined ? text : `${sign}"${name.replaceAll('"', '')}"`;

/** More of them would make a long text of a short one. */
const mostReferences = 100;

/** The text of a system note: ids of the source are others here, so it gets the names. */
export function withNames(text: string, { labels, milestones }: References): string {
  let count = 0;
  return text.replace(/([~%])(\d{1,9})\b/g, (match, sign: string, id: string) => {
    count += 1;
    const names = sign === '~' ? labels : milestones;
    return count > mostReferences ? match : quoted(sign, names.get(Number(id)), match);
  });
}

/** A draft has another mark here. */
export const titleOf = (title: string): string =>
  cut(title.replace(/^\s*(?:draft:|\[draft\]|\(draft\))\s*/i, 'WIP: '), longestTitle);

interface Credited {
  readonly authorId: number;
  readonly text: string;
}

export interface Texts {
  /** The author of a text; one who is no user here is named in it, and the importer is its author. */
  readonly credit: (text: string, author: Person | null | undefined) => Promise<Credited>;
  /** The same for a system note, which is one line. */
  readonly creditSystemNote: Texts['credit'];
  /** Links to uploads lead to the source: its API does not give the files. */
  readonly withLinks: (text: string) => string;
}

/** `webUrl`: the address of the project at the source. */
export function textsOf(people: People, importerId: number, webUrl: string): Texts {
  const credit =
    (name: (author: Person, text: string) => string): Texts['credit'] =>
    async (text, author) => {
      const authorId = await people.find(author);
      if (authorId !== null) return { authorId, text: cut(text, longestText) };
      const named = author ? name(author, text) : text;
      return { authorId: importerId, text: cut(named, longestText) };
    };
  return {
    credit: credit((author, text) => `*Created by ${nameOf(author)}*\n\n${text}`.trimEnd()),
    creditSystemNote: credit((author, text) => `${text} *by ${nameOf(author)}*`),
    withLinks: (text) => text.replaceAll('](/uploads/', `](${webUrl}/uploads/`),
  };
}
