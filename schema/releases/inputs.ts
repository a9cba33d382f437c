import { builder } from '../kernel/builder.ts';
import { ReleaseLinkType } from './link-types.ts';

export const linkTexts = {
  name: 'Its text, unique in the release.',
  url: 'The address, unique in the release: of http, https or ftp.',
  path: 'The path of the permanent address: segments of letters, digits, `_`, `-` and `.`, each after a slash.',
  type: 'What it leads to.',
};

export const ReleaseLinkInput = builder.inputType('ReleaseLinkInput', {
  description: 'A link of a new release.',
  fields: (t) => ({
    name: t.string({ required: true, description: linkTexts.name }),
    url: t.string({ required: true, description: linkTexts.url }),
    path: t.string({ description: linkTexts.path }),
    type: t.field({ type: ReleaseLinkType, defaultValue: 'other', description: linkTexts.type }),
  }),
});
