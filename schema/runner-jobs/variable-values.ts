import { trimEdges } from '../kernel/trim.ts';

/** A slug for host names: lower-case letters, digits and dashes, at most 63 characters. */
export const slugOf = (text: string): string =>
  trimEdges(
    text
      .toLowerCase()
      .replaceAll(/[^a-z0-9]/g, '-')
      .slice(0, 63),
    /-/,
  );

/** Expands `$NAME`, `${NAME}` and `%NAME%`; unknown variables are empty. */
export const expanded = (text: string, values: ReadonlyMap<string, string>): string =>
  text.replaceAll(
    /\$([a-zA-Z_]\w*)|\$\{([a-zA-Z_]\w*)\}|%([a-zA-Z_]\w*)%/g,
    (_all, plain?: string, braced?: string, percent?: string) =>
      values.get(plain ?? braced ?? percent ?? '') ?? '',
  );
