import type { Visibility } from '../kernel/access.ts';
import type { FieldErrors } from '../kernel/errors.ts';
import type { Viewer } from '../kernel/viewer.ts';
import type { ApplicationSettings } from '../ports/settings.ts';
import type { SnippetChange } from './types.ts';

/** In characters. */
const longestName = 255;
const longestText = 2 ** 20;

const tooLong = (text: string | null | undefined, most: number) =>
  (text ?? '').length > most ? [`is too long (maximum is ${most} characters)`] : [];

const blank = (text: string | null | undefined) => (text?.trim() === '' ? ["can't be blank"] : []);

/** The validation errors of the given fields; omitted fields are valid. */
export const snippetFaults = ({
  title,
  fileName,
  description,
  content,
}: SnippetChange): FieldErrors => ({
  title: [...blank(title), ...tooLong(title, longestName)],
  fileName: [
    ...(/\p{Cc}/u.test(fileName ?? '') ? ['is invalid'] : []),
    ...tooLong(fileName, longestName),
  ],
  description: tooLong(description, longestText),
  content: [...blank(content), ...tooLong(content, longestText)],
});

/**
 * Only administrators may use restricted visibility levels (specification, Application settings).
 */
export const restrictionFaults = (
  visibility: Visibility,
  { isAdmin }: Pick<Viewer, 'isAdmin'>,
  { restrictedVisibilityLevels }: ApplicationSettings,
): FieldErrors =>
  !isAdmin && restrictedVisibilityLevels.includes(visibility)
    ? { visibility: [`${visibility} has been restricted by your administrator`] }
    : {};
