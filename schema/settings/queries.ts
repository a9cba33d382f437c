import { builder } from '../kernel/builder.ts';

/** The release of the v4 interface that this service speaks. */
const interfaceVersion = '10.1.0';

builder.queryField('version', (t) => t.string({ resolve: () => interfaceVersion }));

builder.queryField('revision', (t) => t.string({ resolve: () => 'millrace' }));
