import { visibilities } from '../kernel/access.ts';
import { builder } from '../kernel/builder.ts';

export const Visibility = builder.enumType('Visibility', { values: visibilities });
