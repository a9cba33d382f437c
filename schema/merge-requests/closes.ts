const words = 'clos(?:e[sd]?|ing)|fix(?:e[sd]|ing)?|resolv(?:e[sd]?|ing)';
const named = '(?:issues? +)?#';
const between = '(?:, *| +and +)?';

/** `Closes #3`, `fixes: #4, #5 and issue #6`. */
const sentence = new RegExp(`\\b(?:${words}):? +(?:${named}\\d+${between})+`, 'gi');

/** The same as PostgreSQL reads it, of an issue with this number. */
export const closingPattern = (iid: number): string =>
  `\\m(?:${words}):? +(?:${named}\\d+${between})*${named}${iid}(?!\\d)`;

const largestNumber = 2 ** 31 - 1;

/** More are not closed by one merge. */
const mostClosed = 100;

interface Closing {
  readonly description: string | null;
  readonly targetBranch: string;
  readonly project: { readonly defaultBranch: string | null };
}

/**
 * The numbers of the issues that its description says it closes, of the project it is merged in; a
 * merge into another than the default branch closes none (v4-behaviour 3.4).
 */
export function namedIssues({ description, targetBranch, project }: Closing): readonly number[] {
  if (!description || targetBranch !== project.defaultBranch) return [];
  const numbers = [...description.matchAll(sentence)].flatMap(([found]) =>
    [...found.matchAll(/#(\d+)/g)].map(([, digits]) => Number(digits)),
  );
  return [...new Set(numbers)].filter((iid) => iid <= largestNumber).slice(0, mostClosed);
}
