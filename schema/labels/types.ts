import { builder } from '../kernel/builder.ts';
import { internal } from '../kernel/public.ts';
import { pageType } from '../listing/page-types.ts';
import { labelWithin, scopeArgs } from './scope.ts';
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
    'A label for issues and merge requests: of one project, or of a group for all projects below it.',
  fields: (t) => ({
    id: t.exposeInt('id', { description: 'The id of the label.' }),
    name: t.exposeString('name', {
      description: 'The name, which is unique within the group or project.',
    }),
    color: t.exposeString('color', { description: 'The color as `#rrggbb`.' }),
    description: t.exposeString('description', {
      nullable: true,
      description: 'What the label means; null if there is no description.',
    }),
    priority: t.int({
      nullable: true,
      description: 'The priority in a project, where 0 is the highest. Null if none is set.',
      args: scopeArgs,
      resolve: async (label, args, ctx) => {
        const within = await labelWithin(label, args, ctx);
        return within && (await standingOf(within, ctx)).priority;
      },
    }),
    // REST shows what a label is in the project or group of the request
    sourcePriority: t.int({
      nullable: true,
      extensions: internal,
      resolve: async (label, _args, ctx) => (await standingOf(label, ctx)).priority,
    }),
    isSubscribed: t.boolean({
      description: 'Whether the current user is notified of issues with the label.',
      resolve: async (label, _args, ctx) => (await standingOf(label, ctx)).isSubscribed,
    }),
  }),
});

export const LabelPage = pageType('Label', Label);
