import { memberFields } from '../members/fields.ts';
import { findGroup } from './find.ts';

memberFields('group', async (ref, ctx, rule) => {
  const { id } = await findGroup(ref, ctx, rule);
  return { kind: 'group', id, ownerId: null };
});
