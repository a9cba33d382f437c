import type { FieldErrors } from '../kernel/errors.ts';
import { tooLong } from '../kernel/lengths.ts';

const maxTags = 100;
const maxTagLength = 255;
const maxDescriptionLength = 255;

interface Described {
  readonly description?: string | null | undefined;
  readonly tags: readonly string[];
  readonly runsUntagged: boolean;
}

/** Whether it could not run any job. */
export const acceptsNoJobs = ({ tags, runsUntagged }: Omit<Described, 'description'>): boolean =>
  !runsUntagged && tags.length === 0;

/** Messages per field for invalid values. */
export const runnerFaults = (runner: Described): FieldErrors => ({
  description: tooLong(runner.description, maxDescriptionLength),
  tagList: tagFaults(runner.tags),
  runUntagged: acceptsNoJobs(runner)
    ? ['can not be empty when runner is not allowed to pick untagged jobs']
    : [],
});

const tagFaults = (tags: readonly string[]) =>
  tags.length > maxTags
    ? [`is too long (maximum is ${maxTags} tags)`]
    : tags.flatMap((tag) => tooLong(tag, maxTagLength)).slice(0, 1);

/** Unique tags without surrounding blanks. */
export const distinctTags = (tags: readonly string[]): string[] => [
  ...new Set(tags.map((tag) => tag.trim()).filter((tag) => tag !== '')),
];
