import type { Token } from 'markdown-it';

const box = /^\[([ xX])\](?= )/;

/** Marks list items that begin with `[ ]` or `[x]`: the box is shown, and cannot be changed. */
export function markTasks(tokens: readonly Token[]): void {
  for (const [place, token] of tokens.entries()) {
    if (token.type !== 'inline' || tokens[place - 2]?.type !== 'list_item_open') continue;
    const [first] = token.children ?? [];
    const [text, state] = (first?.type === 'text' && box.exec(first.content)) || [];
    if (!first || text === undefined) continue;
    tokens[place - 2]?.attrJoin('class', 'task');
    first.content = `${state === ' ' ? '☐' : '☑'}${first.content.slice(text.length)}`;
  }
}
