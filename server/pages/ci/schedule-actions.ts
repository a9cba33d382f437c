import { graphql } from '../../../schema/client/graphql.ts';
import { pathNotFound } from '../../../schema/kernel/errors.ts';
import { addressIn } from '../frame/address-in.ts';
import type { Project } from '../frame/project-head.ts';
import type { ProjectPage } from '../frame/sections.ts';
import { numberIn, splitFirst } from '../kernel/addresses.ts';
import { orFault } from '../kernel/fault.ts';
import type { Answer, Visit } from '../kernel/page.ts';
import { saved } from '../kernel/parts.ts';
import { newSchedulePage, schedulePage } from './schedule.ts';
import { scheduleInput } from './schedule-form.ts';
import { submitScheduleVariable } from './schedule-variables.ts';
import { schedulesPage } from './schedules.ts';

const create = graphql(`
  mutation AddSchedule(
    $project: ID!, $description: String!, $ref: String!, $cron: String!, $cronTimezone: String!
    $isActive: Boolean!
  ) {
    createPipelineSchedule(
      project: $project, description: $description, ref: $ref, cron: $cron
      cronTimezone: $cronTimezone, isActive: $isActive
    ) { id }
  }
`);

const update = graphql(`
  mutation ChangeSchedule(
    $project: ID!, $id: Int!, $description: String!, $ref: String!, $cron: String!
    $cronTimezone: String!, $isActive: Boolean!
  ) {
    updatePipelineSchedule(
      project: $project, id: $id, description: $description, ref: $ref, cron: $cron
      cronTimezone: $cronTimezone, isActive: $isActive
    ) { id }
  }
`);

const play = graphql(`
  mutation RunShownSchedule($project: ID!, $id: Int!) {
    runPipelineSchedule(project: $project, id: $id) { id }
  }
`);

const take = graphql(`
  mutation TakeShownSchedule($project: ID!, $id: Int!) {
    takePipelineScheduleOwnership(project: $project, id: $id) { id }
  }
`);

const remove = graphql(`
  mutation RemoveSchedule($project: ID!, $id: Int!) {
    deletePipelineSchedule(project: $project, id: $id)
  }
`);

/** The schedules of a project, `new`, and `1/edit`. */
export const showSchedules: ProjectPage = (visit, project, rest) => {
  if (rest === '') return schedulesPage(visit, project);
  if (rest === 'new') return newSchedulePage(visit, project);
  const [number, action] = splitFirst(rest);
  if (action !== 'edit') throw pathNotFound();
  return schedulePage(visit, project, numberIn(number));
};

const listAddress = (visit: Visit, project: Project) =>
  addressIn(visit, project, 'pipeline_schedules');

/** The forms of schedules: create, `1`, and the actions below it. */
export const submitSchedules: ProjectPage = async (visit, project, rest) => {
  if (rest === '') return createOne(visit, project);
  const [number, action] = splitFirst(rest);
  const schedule = { project: String(project.id), id: numberIn(number) };
  switch (action) {
    case '':
      return change(visit, project, schedule.id);
    case 'play': {
      const { id } = (await visit.ask(play, schedule)).runPipelineSchedule;
      return { redirect: addressIn(visit, project, 'pipelines', String(id)) };
    }
    case 'take_ownership':
      await visit.ask(take, schedule);
      return saved(listAddress(visit, project));
    case 'delete':
      await visit.ask(remove, schedule);
      return saved(listAddress(visit, project));
    default:
      return submitScheduleVariable(visit, project, schedule.id, action);
  }
};

const createOne = (visit: Visit, project: Project): Promise<Answer> =>
  orFault(
    visit,
    async () => {
      const variables = { project: String(project.id), ...scheduleInput(visit) };
      const { id } = (await visit.ask(create, variables)).createPipelineSchedule;
      return saved(`${listAddress(visit, project)}/${id}/edit`);
    },
    (fault) => newSchedulePage(visit, project, fault),
  );

const change = (visit: Visit, project: Project, id: number): Promise<Answer> =>
  orFault(
    visit,
    async () => {
      await visit.ask(update, { project: String(project.id), id, ...scheduleInput(visit) });
      return saved(listAddress(visit, project));
    },
    (fault) => schedulePage(visit, project, id, { form: '', fault }),
  );
