import { builder } from '../kernel/builder.ts';
import { textCost } from '../kernel/cost.ts';
import { internal } from '../kernel/public.ts';
import { pageType } from '../listing/page-types.ts';

export const MilestoneState = builder.enumType('MilestoneState', {
  description: 'Whether a milestone is still worked on.',
  values: {
    active: { description: 'The milestone is open.' },
    closed: { description: 'The milestone was closed.' },
  },
});

export const Milestone = builder.prismaObject('Milestone', {
  description:
    'A goal for issues and merge requests, often with a due date: of one project, or of a group for all projects below it.',
  fields: (t) => ({
    id: t.exposeInt('id', { description: 'The id of the milestone.' }),
    iid: t.exposeInt('iid', {
      description: 'The number of the milestone within its project or group.',
    }),
    projectId: t.exposeInt('projectId', { nullable: true, extensions: internal }),
    groupId: t.exposeInt('namespaceId', { nullable: true, extensions: internal }),
    title: t.exposeString('title', {
      description: 'The title, which is unique within the project or group.',
    }),
    description: t.exposeString('description', {
      nullable: true,
      complexity: textCost,
      description: 'The description in Markdown; null if there is none.',
    }),
    state: t.expose('state', {
      type: MilestoneState,
      description: 'Whether the milestone is active or closed.',
    }),
    startDate: t.expose('startDate', {
      type: 'Date',
      nullable: true,
      description: 'The day on which work begins; null if none is set.',
    }),
    dueDate: t.expose('dueDate', {
      type: 'Date',
      nullable: true,
      description: 'The day on which work should be finished; null if none is set.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When the milestone was created.',
    }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: 'When the milestone was last changed.',
    }),
  }),
});

export const MilestonePage = pageType('Milestone', Milestone);
