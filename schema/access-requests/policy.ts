import { Access } from '../kernel/access.ts';
import { openTo, type Viewer } from '../kernel/viewer.ts';
import type { GroupOrProject } from '../projects/group-or-project.ts';

type RequestedSource = Pick<GroupOrProject, 'level' | 'visibility' | 'requestAccessEnabled'>;

/**
 * Users who are not yet members, if the source allows requests. A private group that is visible
 * only because of a project in it allows none (v4-behaviour 2.8).
 */
export const canRequestAccess = (
  viewer: Viewer,
  { level, visibility, requestAccessEnabled }: RequestedSource,
): boolean => level === Access.none && requestAccessEnabled && openTo(viewer).includes(visibility);
