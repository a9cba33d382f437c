import { isWider, type Visibility } from '../kernel/access.ts';
import type { Viewer } from '../kernel/context.ts';
import type { FieldErrors } from '../kernel/errors.ts';
import { nameFaults, pathFaults } from '../kernel/names.ts';
import type { ApplicationSettings } from '../ports/settings.ts';

const longestDescription = 2000;

interface Named {
  readonly name?: string;
  readonly path?: string;
  readonly description?: string | null;
  readonly ciConfigPath?: unknown;
}

/** Messages per field for what of a project is said wrongly; empty when nothing is. */
export function projectFaults({ name, path, description, ciConfigPath }: Named): FieldErrors {
  const faults: Record<string, readonly string[]> = {};
  const add = (field: string, texts: readonly string[]) => {
    if (texts.length > 0) faults[field] = texts;
  };
  if (name !== undefined) add('name', nameFaults(name));
  if (path !== undefined) add('path', pathFaults(path, 'project'));
  if (description && description.length > longestDescription) {
    add('description', [`is too long (maximum is ${longestDescription} characters)`]);
  }
  if (typeof ciConfigPath === 'string' && isUnsafePath(ciConfigPath)) {
    add('ci_config_path', ['is invalid']);
  }
  return faults;
}

const isUnsafePath = (path: string) =>
  path.length > 255 || path.startsWith('/') || path.split('/').includes('..');

/** Whether this visibility is open to `viewer` in a namespace: restricted levels are for administrators. */
export function visibilityFaults(
  visibility: Visibility,
  namespace: { readonly kind: 'user' | 'group'; readonly visibility: Visibility },
  viewer: Viewer,
  settings: ApplicationSettings,
): FieldErrors {
  if (!viewer.isAdmin && settings.restrictedVisibilityLevels.includes(visibility)) {
    return { visibility_level: [`${visibility} has been restricted by your administrator`] };
  }
  return namespace.kind === 'group' && isWider(visibility, namespace.visibility)
    ? { visibility_level: [`${visibility} is not allowed in a ${namespace.visibility} group.`] }
    : {};
}
