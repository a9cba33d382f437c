import { builder } from '../kernel/builder.ts';
import { statementCost } from '../kernel/cost.ts';
import { nodesCost } from '../kernel/page.ts';
import type { GroupOrProject } from '../projects/group-or-project.ts';

/** A word for issues, of one project or of all projects below a group. */
export const Label = builder.prismaObject('Label', {
  fields: (t) => ({
    id: t.exposeInt('id'),
    name: t.exposeString('name'),
    color: t.exposeString('color'),
    description: t.exposeString('description', { nullable: true }),
  }),
});

/** A label as the group or project it was asked of has it: its own, or one of a group above. */
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
    id: t.exposeInt('id'),
    name: t.exposeString('name'),
    color: t.exposeString('color'),
    description: t.exposeString('description', { nullable: true }),
    /** How much it matters in the project, 0 the most; null in groups. */
    priority: t.exposeInt('priority', { nullable: true }),
    /** Whether the viewer is told of issues with it. */
    isSubscribed: t.exposeBoolean('isSubscribed'),
  }),
});

/** A page of labels; each part is read only if it is asked for. */
export interface SourceLabelPageRecord {
  readonly nodes: () => Promise<readonly SourceLabelRecord[]>;
  readonly total: () => Promise<number>;
}

export const SourceLabelPage = builder
  .objectRef<SourceLabelPageRecord>('SourceLabelPage')
  .implement({
    fields: (t) => ({
      nodes: t.field({
        type: [SourceLabel],
        complexity: nodesCost,
        resolve: async ({ nodes }) => [...(await nodes())],
      }),
      total: t.int({ complexity: statementCost, resolve: ({ total }) => total() }),
    }),
  });
