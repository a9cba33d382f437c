import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import { pathNotFound } from '../../../schema/kernel/errors.ts';
import { span } from '../ci/ci.ts';
import { adminPage } from '../frame/admin-menu.ts';
import { type Html, html } from '../kernel/html.ts';
import { bytes } from '../kernel/listing.ts';
import type { Answer, Page, Visit } from '../kernel/page.ts';
import { alert, table } from '../kernel/parts.ts';
import { adminGet } from './admin-pages.ts';

const Health = graphql(`
  query AdminHealth {
    admin {
      health {
        uptime memory pendingCiJobs runningCiJobs
        database { version size isReadOnly }
        storages { name free total }
        backgroundJobs { kind count waitingSeconds }
      }
    }
  }
`);

type Facts = NonNullable<ResultOf<typeof Health>['admin']>['health'];

async function health(visit: Visit): Promise<Answer> {
  const { admin } = await visit.ask(Health, {});
  if (!admin) throw pathNotFound();
  const { uptime, memory, database, pendingCiJobs, runningCiJobs } = admin.health;
  return adminPage(visit, {
    section: '/admin/health',
    title: 'Health',
    main: html`${alert(database.isReadOnly ? readOnly : null)}
<dl class="traits">
<dt>Process</dt><dd>runs for ${span(uptime)} with ${bytes(memory)} of memory</dd>
<dt>Database</dt><dd>PostgreSQL ${database.version}, ${bytes(database.size)}</dd>
<dt>CI jobs</dt><dd>${pendingCiJobs} pending, ${runningCiJobs} running</dd>
</dl>
<h2>Repository storages</h2>
${storages(admin.health)}
<h2>Background jobs</h2>
${backgroundJobs(admin.health)}
<h2>For monitoring systems</h2>
<dl class="traits">
<dt><a href="${visit.url('/-/liveness')}">Liveness</a></dt><dd>Whether the process runs.</dd>
<dt><a href="${visit.url('/-/readiness')}">Readiness</a></dt>
<dd>Whether the server can serve requests: 503 while the database does not answer or cannot be written, git cannot be started, or the server stops.</dd>
<dt><a href="${visit.url('/-/metrics')}">Metrics</a></dt>
<dd>Counters and durations as text, in the format of Prometheus. Programs on this machine can read them;
others need an administrator's token.</dd>
</dl>`,
  });
}

const readOnly =
  'The database is read-only: pages and clones work, and nothing can be changed. Make it writable, or let the server connect to the one that is.';

const storages = ({ storages: all }: Facts): Html =>
  table(
    'Repository storages',
    'There are none.',
    ['Name', 'Free', 'Size'],
    all.map(({ name, free, total }) => [
      name,
      free === null ? 'does not answer' : bytes(free),
      total === null ? '' : bytes(total),
    ]),
  );

const backgroundJobs = ({ backgroundJobs: all }: Facts): Html =>
  table(
    'Background jobs',
    'None waits or runs.',
    ['Kind', 'Jobs', 'The oldest has waited'],
    all.map(({ kind, count, waitingSeconds }) => [
      kind.replaceAll('_', ' '),
      String(count),
      waitingSeconds === null ? '' : span(waitingSeconds),
    ]),
  );

/** What the server does and needs now, and the addresses that monitoring systems read. */
export const healthPages: readonly Page[] = [adminGet('/admin/health', health)];
