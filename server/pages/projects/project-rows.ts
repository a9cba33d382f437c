import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import { addressIn } from '../frame/address-in.ts';
import { type Html, html } from '../kernel/html.ts';
import { entries } from '../kernel/listing.ts';
import type { Visit } from '../kernel/page.ts';
import { when } from '../kernel/times.ts';

export const projectRowFields = graphql(`
  fragment ProjectRowFields on Project { name fullPath description visibility lastActivityAt }
`);

/** A list of projects with their descriptions. */
export const projectRows = (
  visit: Visit,
  projects: readonly ResultOf<typeof projectRowFields>[],
): Html =>
  entries(
    projects.map(
      (
        project,
      ) => html`<a class="name" href="${addressIn(visit, project)}">${project.name}</a> <span class="badge">${project.visibility}</span>
${project.description && html`<span>${shortened(project.description)}</span>`}
<span class="quiet">${project.fullPath} · ${when(project.lastActivityAt)}</span>`,
    ),
    'There are no projects.',
  );

const longest = 200;

/** The first line of a text, truncated. */
export function shortened(text: string): string {
  const [line = ''] = text.trim().split('\n', 1);
  return line.length <= longest ? line : `${line.slice(0, longest).toWellFormed()}…`;
}
