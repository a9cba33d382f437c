import { builder } from '../kernel/builder.ts';
import { textCost } from '../kernel/cost.ts';
import { pageType } from '../listing/page-types.ts';

export const MilestoneState = builder.enumType('MilestoneState', {
  values: ['active', 'closed'] as const,
});

/**
 * A date by which issues should be done, of one project, or of a group for all projects below it.
 */
export const Milestone = builder.prismaObject('Milestone', {
  fields: (t) => ({
    id: t.exposeInt('id'),
    /** The number within the project or group. */
    iid: t.exposeInt('iid'),
    projectId: t.exposeInt('projectId', { nullable: true }),
    groupId: t.exposeInt('namespaceId', { nullable: true }),
    title: t.exposeString('title'),
    description: t.exposeString('description', { nullable: true, complexity: textCost }),
    state: t.expose('state', { type: MilestoneState }),
    startDate: t.expose('startDate', { type: 'Date', nullable: true }),
    dueDate: t.expose('dueDate', { type: 'Date', nullable: true }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
  }),
});

export const MilestonePage = pageType('Milestone', Milestone);
