import { builder } from '../kernel/builder.ts';
import { lazyPageType } from '../listing/page-types.ts';
import { type LabelRecord, standingOf } from './standing.ts';

/** A label by name, or by an id, which counts as a name if no label has that id. */
export const LabelReferenceInput = builder.inputType('LabelReference', {
  isOneOf: true,
  description: 'A label of a group or project.',
  fields: (t) => ({
    idOrName: t.id({
      description: 'The id of the label, or its name. A number is a name if no label has this id.',
    }),
    name: t.string({ description: 'The name of the label.' }),
  }),
});

export type LabelReference = typeof LabelReferenceInput.$inferInput;

export const Label = builder.objectRef<LabelRecord>('Label').implement({
  description:
    'A label for issues and merge requests: of one project, or of a group for all projects below it. Its counts and its priority are those of the project or group in which the document reached it.',
  fields: (t) => ({
    id: t.exposeInt('id', { description: 'The id of the label.' }),
    name: t.exposeString('name', {
      description: 'The name, which is unique within the group or project.',
    }),
    color: t.exposeString('color', { description: 'The colour as `#rrggbb`.' }),
    description: t.exposeString('description', {
      nullable: true,
      description: 'What the label means; null if there is no description.',
    }),
    priority: t.int({
      nullable: true,
      description:
        'The priority in the project, where 0 is the highest. Null if none is set, and in groups.',
      resolve: async (label, _args, ctx) => (await standingOf(label, ctx)).priority,
    }),
    isSubscribed: t.boolean({
      description: 'Whether the current user is notified of issues with the label.',
      resolve: async (label, _args, ctx) => (await standingOf(label, ctx)).isSubscribed,
    }),
  }),
});

export const LabelPage = lazyPageType('Label', Label);
