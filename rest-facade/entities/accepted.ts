import { entity, s } from '../kernel/shape.ts';

/** The response to a change that is made in the background. */
export const accepted = entity('Accepted', {
  message: s.text().describe('That the change is made in the background.'),
});
