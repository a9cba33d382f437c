import type { z } from 'zod';
import { integer, part, text } from './parts.ts';

export const systemHookTest = part(
  'SystemHookTestPayload',
  'The example that `GET /hooks/:id` sends to a system hook.',
  {
    event_name: text('Always `project_create`.'),
    name: text('A name.'),
    path: text('A path.'),
    project_id: integer('An id.'),
    owner_name: text('A name.'),
    owner_email: text('An e-mail address.'),
  },
);

export type SystemHookTestPayload = z.infer<typeof systemHookTest>;
