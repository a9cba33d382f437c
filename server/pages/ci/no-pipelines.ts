import { addressIn } from '../frame/address-in.ts';
import type { Project } from '../frame/project-head.ts';
import { type Html, html } from '../kernel/html.ts';
import type { Visit } from '../kernel/page.ts';
import { emptyState } from '../kernel/parts.ts';

/** What a project without pipelines shows: where they come from, and a form for its CI file. */
export function noPipelines(visit: Visit, project: Project, title: string): Html {
  const { access, defaultBranch, ciConfigPath } = project;
  const file = ciConfigPath ?? '.gitlab-ci.yml';
  const query = String(new URLSearchParams({ file_name: file }));
  return emptyState(
    title,
    html`The CI file of a project, <code>${file}</code>, defines jobs. Each push of commits runs them in a pipeline.`,
    access.canPush && defaultBranch !== null
      ? html`<a class="button" href="${addressIn(visit, project, 'new', defaultBranch)}?${query}">Add a CI file</a>`
      : null,
  );
}
