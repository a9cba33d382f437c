/**
 * Removes characters that match `edge` from both ends of a text. An expression such as `/^-+|-+$/g`
 * takes quadratic time.
 */
export function trimEdges(text: string, edge: RegExp): string {
  let start = 0;
  while (start < text.length && edge.test(text.charAt(start))) start += 1;
  return trimEnd(text.slice(start), edge);
}

/** As `trimEdges`, at the end only. */
export function trimEnd(text: string, edge: RegExp): string {
  let end = text.length;
  while (end > 0 && edge.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
