import { type Html, trusted } from '../kernel/html.ts';

/** Splits highlighted markup at its lines: elements over several lines continue in each of them. */
export function splitLines(markup: string): readonly Html[] {
  const open: string[] = [];
  return markup.split('\n').map((line) => {
    const start = open.join('');
    for (const [tag] of line.matchAll(/<i class=\w>|<\/i>/g)) {
      if (tag === '</i>') open.pop();
      else open.push(tag);
    }
    return trusted(start + line + '</i>'.repeat(open.length));
  });
}
