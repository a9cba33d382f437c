import { builder } from '../kernel/builder.ts';
import { lazyPageType } from '../listing/page-types.ts';
import type { GroupOrProject } from '../projects/group-or-project.ts';

/** A label of one project, or of a group for all projects below it. */
export const Label = builder.prismaObject('Label', {
  fields: (t) => ({
    id: t.exposeInt('id'),
    name: t.exposeString('name'),
    color: t.exposeString('color'),
    description: t.exposeString('description', { nullable: true }),
  }),
});

/** A label by name, or by an id, which counts as a name if no label has that id. */
export const LabelReferenceInput = builder.inputType('LabelReference', {
  isOneOf: true,
  fields: (t) => ({
    idOrName: t.id({ description: 'The id or, if no label has this id, the name.' }),
    name: t.string({ description: 'The name, also if it is a number.' }),
  }),
});

export type LabelReference = typeof LabelReferenceInput.$inferInput;

/** A label in the context of a group or project: its own, or an ancestor group's. */
export interface SourceLabelRecord {
  readonly id: number;
  readonly name: string;
  readonly color: string;
  readonly description: string | null;
  readonly priority: number | null;
  readonly isSubscribed: boolean;
  readonly source: GroupOrProject;
}

export const SourceLabel = builder.objectRef<SourceLabelRecord>('SourceLabel').implement({
  description: 'A label as a group or project has it, whose issues it counts.',
  fields: (t) => ({
    id: t.exposeInt('id', { extensions: { identifies: 'Label' } }),
    name: t.exposeString('name'),
    color: t.exposeString('color'),
    description: t.exposeString('description', { nullable: true }),
    /** The priority in the project, 0 is the highest; null in groups. */
    priority: t.exposeInt('priority', { nullable: true }),
    /** Whether the viewer is notified of issues with it. */
    isSubscribed: t.exposeBoolean('isSubscribed'),
  }),
});

export const SourceLabelPage = lazyPageType('SourceLabel', SourceLabel);
