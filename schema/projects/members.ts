import { memberFields } from '../members/fields.ts';
import { findProject } from './find.ts';

memberFields('project', async (ref, ctx, rule) => {
  const { id, namespace } = await findProject(ref, ctx, (_viewer, level) => rule?.(level) ?? true);
  return { kind: 'project', id, ownerId: namespace.ownerId };
});
