import { Access, type Visibility } from '../kernel/access.ts';
import { openTo, type Viewer } from '../kernel/viewer.ts';

/** The group or project, and the viewer's level in it. */
export interface RequestedSource {
  readonly level: Access;
  readonly visibility: Visibility;
  readonly requestAccessEnabled: boolean;
}

/**
 * Users who are not yet members, if the source allows requests. A private group that is visible
 * only because of a project in it allows none (v4-behaviour 2.8).
 */
export const canRequestAccess = (
  viewer: Viewer,
  { level, visibility, requestAccessEnabled }: RequestedSource,
): boolean => level === Access.none && requestAccessEnabled && openTo(viewer).includes(visibility);
