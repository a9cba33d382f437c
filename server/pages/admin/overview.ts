import { graphql } from '../../../schema/client/graphql.ts';
import { pathNotFound } from '../../../schema/kernel/errors.ts';
import { adminPage } from '../frame/admin-menu.ts';
import { type Html, html } from '../kernel/html.ts';
import type { Answer, Page, Visit } from '../kernel/page.ts';
import { adminGet } from './admin-pages.ts';

const Overview = graphql(`
  query AdminOverview {
    version
    interfaceVersion
    users(perPage: 1) { total }
    active: users(perPage: 1, filter: { isActive: true }) { total }
    blocked: users(perPage: 1, filter: { isBlocked: true }) { total }
    groups(perPage: 1) { total }
    projects(perPage: 1, filter: { archived: include }) { total }
    admin {
      runners(perPage: 1) { total }
      online: runners(perPage: 1, filter: { scope: online }) { total }
      deadLetters(perPage: 1) { total }
    }
  }
`);

async function overview(visit: Visit): Promise<Answer> {
  const { admin, ...counts } = await visit.ask(Overview, {});
  if (!admin) throw pathNotFound();
  const { active, blocked } = counts;
  const count = (path: string, name: string, total: number, detail: string): Html =>
    html`<li class="card"><h2><a href="${visit.url(path)}">${name}</a></h2>
<p><strong>${total}</strong></p>
<p class="quiet">${detail}</p></li>`;
  return adminPage(visit, {
    section: '/admin',
    title: 'Overview',
    main: html`<ul class="cards">
${count('/admin/users', 'Users', counts.users.total, `${active.total} active, ${blocked.total} blocked`)}
${count('/admin/groups', 'Groups', counts.groups.total, 'with subgroups')}
${count('/admin/projects', 'Projects', counts.projects.total, 'with archived ones')}
${count('/admin/runners', 'Runners', admin.runners.total, `${admin.online.total} online`)}
${count('/admin/jobs', 'Background jobs', admin.deadLetters.total, 'failed permanently')}
</ul>
<h2>Software</h2>
<dl class="traits">
<dt>Millrace</dt><dd>${counts.version}</dd>
<dt>REST API</dt><dd>v4, as of ${counts.interfaceVersion}</dd>
</dl>`,
  });
}

export const overviewPages: readonly Page[] = [adminGet('/admin', overview)];
