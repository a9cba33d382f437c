/**
 * A text without the characters at its beginning and its end that `edge` matches one by one. An
 * expression such as `/^-+|-+$/g` takes time that grows with the square of the text.
 */
export function trimEdges(text: string, edge: RegExp): string {
  let start = 0;
  while (start < text.length && edge.test(text.charAt(start))) start += 1;
  return trimEnd(text.slice(start), edge);
}

/** The same of the end alone. */
export function trimEnd(text: string, edge: RegExp): string {
  let end = text.length;
  while (end > 0 && edge.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
