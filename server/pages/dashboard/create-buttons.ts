import { graphql } from '../../../schema/client/graphql.ts';
import { type Html, html } from '../kernel/html.ts';
import { icon } from '../kernel/icons.ts';
import type { Visit } from '../kernel/page.ts';

const CanCreateGroups = graphql(`
  query CanCreateGroups { canCreateGroups }
`);

/** The button that leads to the form of a new project. */
export const newProject = ({ url }: Visit): Html =>
  html`<a class="button" href="${url('/projects/new')}">${icon('plus')}New project</a>`;

/** The button that leads to the form of a new group; null if the visitor may not create one. */
export async function newGroup(visit: Visit): Promise<Html | null> {
  if (!visit.viewer) return null;
  const { canCreateGroups } = await visit.ask(CanCreateGroups, {});
  return canCreateGroups
    ? html`<a class="button" href="${visit.url('/groups/new')}">${icon('plus')}New group</a>`
    : null;
}
