import { Prisma } from '../../prisma/client.ts';

const words = 'clos(?:e[sd]?|ing)|fix(?:e[sd]|ing)?|resolv(?:e[sd]?|ing)';
const named = '(?:issues? +)?#';
const between = '(?:, *| +and +)?';

/** `Closes #3`, `fixes: #4, #5 and issue #6`. */
const sentence = new RegExp(`\\b(?:${words}):? +(?:${named}\\d+${between})+`, 'gi');

/** The same pattern in PostgreSQL's syntax, for the number of one issue as a text. */
export const closingPattern = (number: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`(${`\\m(?:${words}):? +(?:${named}\\d+${between})*${named}`}
    || ${number}::text || '(?!\\d)')`;

const largestNumber = 2 ** 31 - 1;

/** One merge closes no more issues than this. */
const mostClosed = 100;

interface Closing {
  readonly description: string | null;
  readonly targetBranch: string;
  readonly project: { readonly defaultBranch: string | null };
}

/**
 * The numbers of the project's issues that the description says it closes. Only a merge into the
 * default branch closes issues (v4-behaviour 3.4).
 */
export function issuesToClose({ description, targetBranch, project }: Closing): readonly number[] {
  if (!description || targetBranch !== project.defaultBranch) return [];
  const numbers = [...description.matchAll(sentence)].flatMap(([matches]) =>
    [...matches.matchAll(/#(\d+)/g)].map(([, digits]) => Number(digits)),
  );
  return [...new Set(numbers)].filter((iid) => iid <= largestNumber).slice(0, mostClosed);
}
