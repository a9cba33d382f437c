/** How a title says that it is not done yet: `WIP: Doors`, `[WIP] Doors`. */
const mark = /^\s*(?:\[wip\]|wip:|wip(?=\s))\s*/i;

/** Whether the author is not done yet: such a merge request is not merged (v4-behaviour 3.4). */
export const isWorkInProgress = (title: string): boolean => mark.test(title);

/** The same title, whether or not it is done. */
export const withoutMark = (title: string): string => title.replace(mark, '');
