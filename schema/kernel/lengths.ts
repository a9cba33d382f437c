/** Characters as people count them: an emoji is one, though JavaScript has two units for it. */
const isLonger = (text: string, most: number): boolean => {
  if (text.length <= most || text.length > 2 * most) return text.length > most;
  let count = 0;
  for (const _ of text) count += 1;
  return count > most;
};

/** What is wrong with a text of more than `most` characters; empty when nothing is (v4-behaviour 1.3). */
export const tooLong = (text: string | null | undefined, most: number): readonly string[] =>
  isLonger(text ?? '', most) ? [`is too long (maximum is ${most} characters)`] : [];

const blank = ["can't be blank"] as const;

/** The same of a text that has to say something. */
export const unfilled = (text: string, most: number): readonly string[] =>
  text.trim() === '' ? blank : tooLong(text, most);
