import type { FieldErrors } from '../kernel/errors.ts';
import { tooLong } from '../kernel/lengths.ts';

/** In characters. */
const longestTitle = 255;
const longestDescription = 2 ** 20;
const mostNames = 1_000;

/** The fields of an issue or merge request that are validated. */
export interface IssuableInput {
  readonly title?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly labels?: readonly string[] | null | undefined;
  readonly addLabels?: readonly string[] | null | undefined;
  readonly removeLabels?: readonly string[] | null | undefined;
  readonly assigneeIds?: readonly number[] | null | undefined;
  readonly createdAt?: Date | null | undefined;
  readonly updatedAt?: Date | null | undefined;
}

const tooMany = (...lists: readonly (readonly unknown[] | null | undefined)[]) =>
  lists.some((list) => list && list.length > mostNames)
    ? [`are too many (maximum is ${mostNames})`]
    : [];

const tooLate = (instant: Date | null | undefined) =>
  instant && instant.getTime() > Date.now() ? ["can't be in the future"] : [];

/** The validation errors of the given fields; omitted fields are valid. */
export const issuableFaults = (input: IssuableInput): FieldErrors => ({
  title: [
    ...(input.title?.trim() === '' ? ["can't be blank"] : []),
    ...tooLong(input.title?.trim(), longestTitle),
  ],
  description: tooLong(input.description, longestDescription),
  labels: tooMany(input.labels, input.addLabels, input.removeLabels),
  assigneeIds: tooMany(input.assigneeIds),
  createdAt: tooLate(input.createdAt),
  updatedAt: tooLate(input.updatedAt),
});
