import { graphql } from '../../../schema/client/graphql.ts';
import { pathNotFound } from '../../../schema/kernel/errors.ts';
import { addressIn } from '../frame/address-in.ts';
import type { ProjectPage } from '../frame/sections.ts';

const Star = graphql(`
  mutation StarByForm($project: ID!) { starProject(project: $project) { hasChanged } }
`);

const Unstar = graphql(`
  mutation UnstarByForm($project: ID!) { unstarProject(project: $project) { hasChanged } }
`);

/** Stars a project, or removes the star. */
export const submitStar =
  (isStarred: boolean): ProjectPage =>
  async (visit, project, rest) => {
    if (rest !== '') throw pathNotFound();
    const variables = { project: String(project.id) };
    await (isStarred ? visit.ask(Star, variables) : visit.ask(Unstar, variables));
    return { redirect: addressIn(visit, project) };
  };
