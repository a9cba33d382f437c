import { isWider, type Visibility } from '../kernel/access.ts';
import type { Viewer } from '../kernel/context.ts';
import type { FieldErrors } from '../kernel/errors.ts';
import { tooLong } from '../kernel/lengths.ts';
import { isBranchName, nameFaults, pathFaults } from '../kernel/names.ts';
import type { ApplicationSettings } from '../ports/settings.ts';

/** Every listing shows all of a project's tags. */
const mostTags = 100;
const longestTag = 255;
const longestDescription = 2000;
const longestConfigPath = 255;

interface Named {
  readonly name?: string;
  readonly path?: string;
  readonly description?: string | null;
  readonly ciConfigPath?: unknown;
  readonly defaultBranch?: string;
  readonly tagList?: readonly string[];
}

/** Messages per field for what of a project is said wrongly; fields without a text are in order. */
export const projectFaults = ({
  name,
  path,
  description,
  ciConfigPath,
  defaultBranch,
  tagList = [],
}: Named): FieldErrors => ({
  ...(name !== undefined && { name: nameFaults(name) }),
  ...(path !== undefined && { path: pathFaults(path, 'project') }),
  description: tooLong(description ?? '', longestDescription),
  tag_list: tagFaults(tagList),
  ...(defaultBranch !== undefined &&
    !isBranchName(defaultBranch) && { default_branch: ['is invalid'] }),
  ...(typeof ciConfigPath === 'string' && { ci_config_path: configPathFaults(ciConfigPath) }),
});

const tagFaults = (tags: readonly string[]) =>
  tags.length > mostTags
    ? [`is too long (maximum is ${mostTags} tags)`]
    : tags.flatMap((tag) => tooLong(tag, longestTag)).slice(0, 1);

const configPathFaults = (path: string) =>
  path.startsWith('/') || path.split('/').includes('..')
    ? ['is invalid']
    : tooLong(path, longestConfigPath);

/** Whether this visibility is open to `viewer` in a namespace: restricted levels are for administrators. */
export function visibilityFaults(
  visibility: Visibility,
  namespace: { readonly kind: 'user' | 'group'; readonly visibility: Visibility },
  viewer: Viewer | null,
  settings: ApplicationSettings,
): FieldErrors {
  if (!viewer?.isAdmin && settings.restrictedVisibilityLevels.includes(visibility)) {
    return { visibility_level: [`${visibility} has been restricted by your administrator`] };
  }
  return namespace.kind === 'group' && isWider(visibility, namespace.visibility)
    ? { visibility_level: [`${visibility} is not allowed in a ${namespace.visibility} group.`] }
    : {};
}
