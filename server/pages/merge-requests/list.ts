import { addressIn } from '../frame/address-in.ts';
import { type Project, projectPage } from '../frame/project-head.ts';
import { issuableList } from '../issuables/list.ts';
import { html } from '../kernel/html.ts';
import { icon } from '../kernel/icons.ts';
import type { Answer, Visit } from '../kernel/page.ts';

/** The merge requests of a project, with a filter. */
export async function showList(visit: Visit, project: Project): Promise<Answer> {
  const canCreate = visit.viewer !== null && project.access.canPush;
  const main = html`<h1>Merge requests</h1>
${await issuableList(visit, {
  kind: 'merge_requests',
  scope: { kind: 'project', owner: project },
  address: addressIn(visit, project, 'merge_requests'),
  create: canCreate
    ? html`<a class="button small primary" href="${addressIn(visit, project, 'merge_requests', 'new')}">${icon('plus')}New merge request</a>`
    : null,
})}`;
  return projectPage(visit, project, 'merge_requests', 'Merge requests', main);
}
