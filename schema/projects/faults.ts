import { isWider, type Visibility } from '../kernel/access.ts';
import type { FieldErrors } from '../kernel/errors.ts';
import { tooLong } from '../kernel/lengths.ts';
import { nameFaults, pathFaults } from '../kernel/names.ts';
import { isRefName } from '../kernel/ref-names.ts';
import type { Viewer } from '../kernel/viewer.ts';
import type { ApplicationSettings } from '../ports/settings.ts';

/** Every listing shows all topics of a project. */
const mostTags = 100;
const longestTag = 255;
const longestDescription = 2000;
const longestConfigPath = 255;

/** Seconds; a month is a twelfth of 365.2425 days, as v4 servers count it. */
const leastTimeout = 600;
const oneMonth = 2_629_746;

interface Named {
  readonly name?: string;
  readonly path?: string;
  readonly description?: string | null;
  readonly ciConfigPath?: unknown;
  readonly buildTimeout?: number | null;
  readonly defaultBranch?: string;
  readonly tagList?: readonly string[];
}

/** Messages per field of a project; fields with an empty list are valid. */
export const projectFaults = ({
  name,
  path,
  description,
  ciConfigPath,
  buildTimeout,
  defaultBranch,
  tagList = [],
}: Named): FieldErrors => ({
  ...(name !== undefined && { name: nameFaults(name) }),
  ...(path !== undefined && { path: pathFaults(path, 'project') }),
  description: tooLong(description ?? '', longestDescription),
  tagList: tagFaults(tagList),
  ...(defaultBranch !== undefined &&
    !isRefName(defaultBranch) && { defaultBranch: ['is invalid'] }),
  ...(typeof ciConfigPath === 'string' && { ciConfigPath: configPathFaults(ciConfigPath) }),
  ...(typeof buildTimeout === 'number' && { buildTimeout: timeoutFaults(buildTimeout) }),
});

const tagFaults = (tags: readonly string[]) =>
  tags.length > mostTags
    ? [`is too long (maximum is ${mostTags} tags)`]
    : tags.flatMap((tag) => tooLong(tag, longestTag)).slice(0, 1);

const configPathFaults = (path: string) =>
  path.startsWith('/') || path.split('/').includes('..')
    ? ['is invalid']
    : tooLong(path, longestConfigPath);

const timeoutFaults = (seconds: number) =>
  seconds >= leastTimeout && seconds < oneMonth
    ? []
    : ['needs to be between 10 minutes and 1 month'];

/**
 * Messages if `viewer` may not use this visibility in a namespace; restricted levels are for
 * administrators.
 */
export function visibilityFaults(
  visibility: Visibility,
  namespace: { readonly kind: 'user' | 'group'; readonly visibility: Visibility },
  viewer: Viewer | null,
  settings: ApplicationSettings,
): FieldErrors {
  if (!viewer?.isAdmin && settings.restrictedVisibilityLevels.includes(visibility)) {
    return { visibility: [`${visibility} has been restricted by your administrator`] };
  }
  return namespace.kind === 'group' && isWider(visibility, namespace.visibility)
    ? { visibility: [`${visibility} is not allowed in a ${namespace.visibility} group.`] }
    : {};
}
