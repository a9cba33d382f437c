/** The prefix of a draft: `WIP: Search`, `[WIP] Search`. */
const mark = /^\s*(?:\[wip\]|wip:|wip(?=\s))\s*/i;

/** Whether the title marks a draft, which cannot be merged (v4-behaviour 3.4). */
export const isWorkInProgress = (title: string): boolean => mark.test(title);

/** The title without the prefix of a draft. */
export const withoutMark = (title: string): string => title.replace(mark, '');
