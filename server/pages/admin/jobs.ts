import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import { pathNotFound } from '../../../schema/kernel/errors.ts';
import { encoded } from '../../../schema/kernel/percent-encoding.ts';
import { adminPage } from '../frame/admin-menu.ts';
import { numberIn } from '../kernel/addresses.ts';
import { type Fault, orFault } from '../kernel/fault.ts';
import { faultAlert } from '../kernel/fault-alert.ts';
import { type Html, html } from '../kernel/html.ts';
import { entries, pageOf, pager, perPage } from '../kernel/listing.ts';
import type { Answer, Page, Visit } from '../kernel/page.ts';
import { actionForm, confirmedForm, emptyState, saved } from '../kernel/parts.ts';
import { when } from '../kernel/times.ts';
import { adminGet, adminPost } from './admin-pages.ts';

const DeadLetters = graphql(`
  query AdminDeadLetters($page: Int!, $perPage: Int!) {
    admin {
      deadLetters(page: $page, perPage: $perPage) {
        total
        nodes {
          id kind attempts error isFatal payload failedAt
          project { fullPath }
          user { username }
        }
      }
    }
  }
`);

const Retry = graphql(`mutation AdminRetry($id: Int!) { retryDeadLetter(id: $id) }`);
const Delete = graphql(`mutation AdminDeleteDeadLetter($id: Int!) { deleteDeadLetter(id: $id) }`);

type DeadLetter = NonNullable<
  ResultOf<typeof DeadLetters>['admin']
>['deadLetters']['nodes'][number];

const path = '/admin/jobs';

async function jobsPage(visit: Visit, fault?: Fault) {
  const page = pageOf(visit);
  const { admin } = await visit.ask(DeadLetters, { page, perPage });
  if (!admin) throw pathNotFound();
  const { total, nodes } = admin.deadLetters;
  return adminPage(visit, {
    section: path,
    title: 'Background jobs',
    status: fault?.status,
    main: html`${faultAlert(fault)}
<p>Jobs that failed permanently, the newest first. Correct the cause, and retry them.</p>
${
  total === 0
    ? emptyState('No failed jobs', 'All background jobs succeeded or are still tried again.')
    : entries(
        nodes.map((letter) => entryOf(visit, letter)),
        'There are no more failed jobs.',
      )
}
${pager({ address: visit.url(path), page, total })}`,
  });
}

function entryOf(visit: Visit, letter: DeadLetter): Html {
  const { id, kind, attempts, error, isFatal, payload, failedAt, project, user } = letter;
  const name = (kind ?? 'a job of an earlier version').replaceAll('_', ' ').replaceAll('-', ' ');
  const address = visit.url(`${path}/${id}`);
  return html`<p><strong>#${id} ${name}</strong>${isFatal && html` <span class="badge failed">ended the process</span>`}</p>
<p class="quiet">Failed ${when(failedAt)} after ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}${
    project &&
    html` in <a href="${visit.url(`/${encoded(project.fullPath)}`)}">${project.fullPath}</a>`
  }${user && html`, started by <a href="${visit.url(`/${user.username}`)}">${user.username}</a>`}</p>
<pre class="plain">${error}</pre>
<details><summary>Input</summary><pre class="plain">${payload}</pre></details>
<div class="row">${actionForm(visit, {
    address: `${address}/retry`,
    label: 'Retry',
    about: `job ${id}`,
    look: 'small',
  })}${confirmedForm(
    visit,
    { address: `${address}/delete`, label: 'Delete', about: `job ${id}` },
    'The job is not run again.',
  )}</div>`;
}

const acting =
  (act: (visit: Visit, id: number) => Promise<unknown>) =>
  (visit: Visit): Promise<Answer> =>
    orFault(
      visit,
      async () => {
        await act(visit, numberIn(visit.params.id ?? ''));
        return saved(visit.url(path));
      },
      (fault) => jobsPage(visit, fault),
    );

export const jobPages: readonly Page[] = [
  adminGet(path, (visit) => jobsPage(visit)),
  adminPost(
    `${path}/:id/retry`,
    acting((visit, id) => visit.ask(Retry, { id })),
  ),
  adminPost(
    `${path}/:id/delete`,
    acting((visit, id) => visit.ask(Delete, { id })),
  ),
];
