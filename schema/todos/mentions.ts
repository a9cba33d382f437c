/** The users whom a text names, by username in lower case. */
export interface Mentions {
  /** Those at the beginning of a line: `@ada @bob please look`. */
  readonly addressed: readonly string[];
  readonly others: readonly string[];
}

export const noMentions: Mentions = { addressed: [], others: [] };

/** Characters that are scanned; a text may be sixteen times as long. */
const longestScanned = 2 ** 16;

/** How many users a text can name. */
const mostMentions = 100;

const mention = /(?<![\w/@.-])@([\w.-]{1,255})/g;

/** The names that a line begins with, after the mark of a list. */
const beginning = /^[ \t]*(?:[-*+][ \t]+)?((?:@[\w.-]{1,255}[ \t,&]*)+)/;

const fence = /^\s*(?:```|~~~)/;

const inlineCode = /`[^`]*`/g;

/** The lines of the text with an `@`, without code, in which it has another meaning. */
function linesOf(text: string): readonly string[] {
  let isCode = false;
  return text.split('\n').flatMap((line) => {
    if (fence.test(line)) {
      isCode = !isCode;
      return [];
    }
    return isCode || !line.includes('@') ? [] : [line.replace(inlineCode, '``')];
  });
}

/** `Ada.` → `ada`: a full stop after a name ends the sentence. */
const usernameOf = (name: string): string => {
  let end = name.length;
  while (end > 0 && name[end - 1] === '.') end -= 1;
  return name.slice(0, end).toLowerCase();
};

function* namesIn(text: string): Generator<string> {
  for (const [, name = ''] of text.matchAll(mention)) {
    const username = usernameOf(name);
    if (username !== '') yield username;
  }
}

/** The users whom a text in Markdown names: at most a hundred, in its first 65,536 characters. */
export function mentionsOf(text: string | null | undefined): Mentions {
  if (!text?.includes('@')) return noMentions;
  const addressed = new Set<string>();
  const all = new Set<string>();
  for (const line of linesOf(text.slice(0, longestScanned))) {
    for (const name of namesIn(beginning.exec(line)?.[1] ?? '')) {
      if (addressed.size < mostMentions) addressed.add(name);
    }
    for (const name of namesIn(line)) {
      if (all.size < mostMentions) all.add(name);
    }
  }
  const others = [...all].filter((name) => !addressed.has(name));
  return { addressed: [...addressed], others: others.slice(0, mostMentions - addressed.size) };
}

/** The users whom a changed text names and the former text did not. */
export function addedMentions(before: string | null, after: string | null): Mentions {
  if (before === after) return noMentions;
  const former = mentionsOf(before);
  const known = new Set([...former.addressed, ...former.others]);
  const { addressed, others } = mentionsOf(after);
  const isNew = (name: string) => !known.has(name);
  return { addressed: addressed.filter(isNew), others: others.filter(isNew) };
}

/** What names users in an issue or merge request. */
export const textOf = ({
  title,
  description,
}: {
  readonly title: string;
  readonly description?: string | null | undefined;
}): string => `${title}\n\n${description ?? ''}`;
