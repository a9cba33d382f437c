import { graphql } from '../../../schema/client/graphql.ts';
import { pathNotFound } from '../../../schema/kernel/errors.ts';
import type { Project } from '../frame/project-head.ts';
import { numberIn, splitFirst } from '../kernel/addresses.ts';
import type { Visit } from '../kernel/page.ts';

const update = graphql(`
  mutation PauseOrResumeRunner($id: Int!, $isActive: Boolean!) {
    updateRunner(id: $id, settings: { isActive: $isActive }) { id }
  }
`);

const remove = graphql(`mutation RemoveShownRunner($id: Int!) { deleteRunner(id: $id) }`);

const enable = graphql(`
  mutation EnableShownRunner($project: ID!, $id: Int!) {
    enableRunner(project: $project, id: $id) { id }
  }
`);

const disable = graphql(`
  mutation DisableShownRunner($project: ID!, $id: Int!) {
    disableRunner(project: $project, id: $id) { id }
  }
`);

const resetToken = graphql(`
  mutation ResetShownRunnersToken($project: ID!) { resetRunnersToken(project: $project) }
`);

/** Handles the forms of runners: `1/pause`, `1/resume`, `1/enable`, `1/disable`, `1/remove`. */
export function submitRunner(visit: Visit, { id }: Project, rest: string): Promise<unknown> {
  const [number, action] = splitFirst(rest);
  const runner = { id: numberIn(number) };
  const place = { ...runner, project: String(id) };
  switch (action) {
    case 'pause':
    case 'resume':
      return visit.ask(update, { ...runner, isActive: action === 'resume' });
    case 'enable':
      return visit.ask(enable, place);
    case 'disable':
      return visit.ask(disable, place);
    case 'remove':
      return visit.ask(remove, runner);
    default:
      throw pathNotFound();
  }
}

/** Replaces the registration token. */
export const submitRunnersToken = (visit: Visit, { id }: Project): Promise<unknown> =>
  visit.ask(resetToken, { project: String(id) });
