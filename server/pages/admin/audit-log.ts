import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import { pathNotFound } from '../../../schema/kernel/errors.ts';
import { adminPage } from '../frame/admin-menu.ts';
import { field } from '../kernel/forms.ts';
import { html, type Shown } from '../kernel/html.ts';
import { pageOf, pager, perPage } from '../kernel/listing.ts';
import type { Answer, Page, Visit } from '../kernel/page.ts';
import { table } from '../kernel/parts.ts';
import { moment } from '../kernel/times.ts';
import { adminGet } from './admin-pages.ts';

const AuditLog = graphql(`
  query AdminAuditLog($name: String, $page: Int!, $perPage: Int!) {
    admin {
      auditEvents(filter: { name: $name }, page: $page, perPage: $perPage) {
        total
        nodes {
          id name authorId authorName sudoerId applicationName address projectId groupId userId
          details createdAt
        }
      }
    }
  }
`);

type AuditEvent = NonNullable<ResultOf<typeof AuditLog>['admin']>['auditEvents']['nodes'][number];

const path = '/admin/audit_log';

async function auditLogPage(visit: Visit): Promise<Answer> {
  const name = visit.query.name?.trim() ?? '';
  const page = pageOf(visit);
  const { admin } = await visit.ask(AuditLog, { name: name || null, page, perPage });
  if (!admin) throw pathNotFound();
  const { total, nodes } = admin.auditEvents;
  return adminPage(visit, {
    section: path,
    title: 'Audit log',
    main: html`<p>Changes of accounts, credentials, rights and settings, the newest first.</p>
<form method="get" action="${visit.url(path)}" class="filters" role="search">
${field({ name: 'name', label: 'Event', value: name, placeholder: 'block_user' })}
<button>Filter</button>
</form>
${table(
  'Audit log',
  name === '' ? 'Nothing was recorded yet.' : 'No event has this name.',
  ['Event', 'Author', 'About', 'Details', 'Address', 'Time'],
  nodes.map((event) => rowOf(visit, event)),
)}
${pager({ address: visit.url(path), page, total, query: { name } })}`,
  });
}

function rowOf({ url }: Visit, event: AuditEvent): readonly Shown[] {
  const { authorId, authorName, sudoerId, applicationName, userId, projectId, groupId } = event;
  const about = [
    userId !== null && html`<a href="${url(`/admin/users/${userId}`)}">user ${userId}</a> `,
    projectId !== null && html`project ${projectId} `,
    groupId !== null && html`group ${groupId} `,
  ];
  return [
    html`<a href="${url(`${path}?${new URLSearchParams({ name: event.name })}`)}">${event.name}</a>`,
    html`${
      authorId === null
        ? authorName || 'anonymous or a command'
        : html`<a href="${url(`/admin/users/${authorId}`)}">${authorName}</a>`
    }${sudoerId !== null && html` <span class="quiet">(administrator ${sudoerId} as this user)</span>`}${applicationName !== null && html` <span class="quiet">(by the application ${applicationName})</span>`}`,
    about,
    html`<code class="long">${event.details}</code>`,
    event.address,
    moment(event.createdAt),
  ];
}

export const auditLogPages: readonly Page[] = [adminGet(path, auditLogPage)];
