import type { ReleaseLinkType } from '../../prisma/client.ts';
import { type FieldErrors, rejected } from '../kernel/errors.ts';
import { blankOrTooLong, tooLong } from '../kernel/lengths.ts';

/** A link as a caller gives it. */
export interface LinkInput {
  readonly name: string;
  readonly url: string;
  readonly path?: string | null | undefined;
  readonly type?: ReleaseLinkType | null | undefined;
}

const longestName = 255;
const longestUrl = 2048;
const longestPath = 128;

/** Links of one release. */
export const mostLinks = 100;

/** Milestones of one release. */
export const mostMilestones = 100;

const schemes: ReadonlySet<string> = new Set(['http:', 'https:', 'ftp:']);

function urlFaults(url: string): readonly string[] {
  if (url.length > longestUrl) return tooLong(url, longestUrl);
  const isPrintable = /^[\x21-\x7e]+$/.test(url);
  const address = isPrintable ? URL.parse(url) : null;
  if (!address || address.hostname === '') return ['must be a valid URL'];
  return schemes.has(address.protocol)
    ? []
    : ['is blocked: Only allowed schemes are http, https, ftp'];
}

/** Segments of letters, digits, `_`, `-` and `.`, none of which is `.` or `..`. */
function isPath(path: string): boolean {
  const [first, ...segments] = path.split('/');
  const isSegment = (segment: string) => /^[\w.-]+$/.test(segment) && !/^\.\.?$/.test(segment);
  return first === '' && segments.length > 0 && segments.every(isSegment);
}

const pathFaults = (path: string | null | undefined): readonly string[] => {
  if (path === null || path === undefined) return [];
  return path.length > longestPath || !isPath(path) ? ['is in an invalid format'] : [];
};

/** The messages for the given fields of a link. */
export const linkFaults = ({ name, url, path }: Partial<LinkInput>): FieldErrors => ({
  name: name === undefined ? [] : blankOrTooLong(name, longestName),
  url: url === undefined ? [] : urlFaults(url),
  path: pathFaults(path),
});

const hasDuplicates = (values: readonly (string | null | undefined)[]): boolean => {
  const present = values.filter((value) => value !== null && value !== undefined);
  return new Set(present).size < present.length;
};

/** The messages for the links of a new release, as of one link. */
export function linksFaults(links: readonly LinkInput[]): FieldErrors {
  if (links.length > mostLinks) return { links: [`are too many (maximum is ${mostLinks})`] };
  const taken = (field: 'name' | 'url' | 'path') =>
    hasDuplicates(links.map((link) => link[field])) ? ['has already been taken'] : [];
  const fields = { name: taken('name'), url: taken('url'), path: taken('path') };
  const each = links.map(linkFaults);
  const of = (field: keyof typeof fields) => [
    ...new Set([...each.flatMap((faults) => faults[field] ?? []), ...fields[field]]),
  ];
  return { name: of('name'), url: of('url'), path: of('path') };
}

/** The messages for the texts of a release. */
export const releaseFaults = ({
  name,
  description,
}: {
  readonly name?: string | null | undefined;
  readonly description?: string | undefined;
}): FieldErrors => ({
  name: tooLong(name, longestName),
  description: description?.trim() === '' ? ["can't be blank"] : [],
});

export const missingMilestones = (titles: readonly string[]) =>
  rejected(`Milestone(s) not found: ${titles.join(', ')}`);
