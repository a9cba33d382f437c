import { builder } from '../kernel/builder.ts';

/** The fields of `admin`, which each domain adds from its own folder. */
export const Admin = builder.objectRef<object>('Admin').implement({
  description: 'What only administrators read: the records and settings of the whole instance.',
});
