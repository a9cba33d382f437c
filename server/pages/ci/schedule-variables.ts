import { graphql } from '../../../schema/client/graphql.ts';
import { pathNotFound } from '../../../schema/kernel/errors.ts';
import { addressIn } from '../frame/address-in.ts';
import type { Project } from '../frame/project-head.ts';
import { splitFirst } from '../kernel/addresses.ts';
import { orFault } from '../kernel/fault.ts';
import type { Answer, Visit } from '../kernel/page.ts';
import { saved } from '../kernel/parts.ts';
import { schedulePage } from './schedule.ts';

const create = graphql(`
  mutation AddScheduleVariable($project: ID!, $id: Int!, $key: String!, $value: String!) {
    createPipelineScheduleVariable(project: $project, id: $id, key: $key, value: $value) { key }
  }
`);

const update = graphql(`
  mutation ChangeScheduleVariable($project: ID!, $id: Int!, $key: String!, $value: String!) {
    updatePipelineScheduleVariable(project: $project, id: $id, key: $key, value: $value) { key }
  }
`);

const remove = graphql(`
  mutation RemoveScheduleVariable($project: ID!, $id: Int!, $key: String!) {
    deletePipelineScheduleVariable(project: $project, id: $id, key: $key) { key }
  }
`);

/** Handles the forms below a schedule: `variables`, `variables/KEY`, `variables/KEY/delete`. */
export function submitScheduleVariable(
  visit: Visit,
  project: Project,
  id: number,
  rest: string,
): Promise<Answer> {
  const [word, below] = splitFirst(rest);
  const [key, action] = splitFirst(below);
  if (word !== 'variables' || !['', 'delete'].includes(action)) throw pathNotFound();
  const place = { project: String(project.id), id };
  // browsers send line ends as CRLF
  const value = (visit.form.value ?? '').replaceAll('\r\n', '\n');
  const work = () => {
    if (action === 'delete') return visit.ask(remove, { ...place, key });
    if (key !== '') return visit.ask(update, { ...place, key, value });
    return visit.ask(create, { ...place, key: visit.form.key?.trim() ?? '', value });
  };
  return orFault(
    visit,
    async () => {
      await work();
      return saved(addressIn(visit, project, 'pipeline_schedules', String(id), 'edit'));
    },
    (fault) => schedulePage(visit, project, id, { form: 'variables', fault }),
  );
}
