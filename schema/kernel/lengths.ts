/** Counts code points: an emoji is one character, though JavaScript has two units for it. */
const isLonger = (text: string, most: number): boolean => {
  if (text.length <= most || text.length > 2 * most) return text.length > most;
  let count = 0;
  for (const _ of text) count += 1;
  return count > most;
};

/** Messages for a text of more than `most` characters; empty if it is valid (v4-behaviour 1.3). */
export const tooLong = (text: string | null | undefined, most: number): readonly string[] =>
  isLonger(text ?? '', most) ? [`is too long (maximum is ${most} characters)`] : [];

/** Messages for a text of fewer than `least` characters; empty if it is valid. */
export const tooShort = (text: string, least: number): readonly string[] =>
  isLonger(text, least - 1) ? [] : [`is too short (minimum is ${least} characters)`];

const blank = ["can't be blank"] as const;

/** As `tooLong`, for a text that must not be blank. */
export const blankOrTooLong = (text: string, most: number): readonly string[] =>
  text.trim() === '' ? blank : tooLong(text, most);
