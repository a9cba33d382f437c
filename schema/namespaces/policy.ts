import { Access } from '../kernel/access.ts';
import { groupLevel, type Viewer } from '../kernel/viewer.ts';

/** The viewer's own namespace, and the groups that the viewer is a member of or that are below one. */
export const canReadNamespace = (
  viewer: Viewer,
  { id, ancestorIds }: { readonly id: number; readonly ancestorIds: readonly number[] },
): boolean =>
  viewer.isAdmin || id === viewer.namespaceId || groupLevel(viewer, ancestorIds) > Access.none;
