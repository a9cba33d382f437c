import { Access, type Visibility } from '../kernel/access.ts';
import { openTo, type Viewer } from '../kernel/viewer.ts';

/** What a rule on asking looks at: the group or project, and the viewer's level in it. */
export interface RequestedSource {
  readonly level: Access;
  readonly visibility: Visibility;
  readonly requestAccessEnabled: boolean;
}

/**
 * Who is no member yet, where it is wanted. A private group that shows only because of a project
 * within it cannot be asked for (v4-behaviour 2.8).
 */
export const canRequestAccess = (
  viewer: Viewer,
  { level, visibility, requestAccessEnabled }: RequestedSource,
): boolean => level === Access.none && requestAccessEnabled && openTo(viewer).includes(visibility);
