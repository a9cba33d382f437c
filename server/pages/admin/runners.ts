import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import { pathNotFound } from '../../../schema/kernel/errors.ts';
import { adminPage } from '../frame/admin-menu.ts';
import { numberIn } from '../kernel/addresses.ts';
import { type Html, html, type Shown } from '../kernel/html.ts';
import { badges, choices, pageOf, pager, perPage } from '../kernel/listing.ts';
import type { Answer, Page, Visit } from '../kernel/page.ts';
import { actionForm, confirmedForm, saved, table } from '../kernel/parts.ts';
import { when } from '../kernel/times.ts';
import { adminGet, adminPost } from './admin-pages.ts';

const Runners = graphql(`
  query AdminRunners($scope: RunnerScope, $page: Int!, $perPage: Int!) {
    admin {
      applicationSettings { runnersToken }
      runners(filter: { scope: $scope }, page: $page, perPage: $perPage) {
        total
        nodes { id description name isActive isShared tagList version contactedAt }
      }
    }
  }
`);

const Update = graphql(`
  mutation AdminUpdateRunner($id: Int!, $isActive: Boolean!) {
    updateRunner(id: $id, settings: { isActive: $isActive }) { id }
  }
`);

const Delete = graphql(`mutation AdminDeleteRunner($id: Int!) { deleteRunner(id: $id) }`);

const ResetToken = graphql(`mutation AdminResetRunnersToken { resetRunnersToken }`);

type Admin = NonNullable<ResultOf<typeof Runners>['admin']>;
type Runner = Admin['runners']['nodes'][number];

const scopes = ['online', 'active', 'paused', 'shared', 'specific'] as const;
const path = '/admin/runners';

async function runnersPage(visit: Visit): Promise<Answer> {
  const { query, url } = visit;
  const scope = scopes.find((name) => name === query.scope) ?? null;
  const page = pageOf(visit);
  const { admin } = await visit.ask(Runners, { scope, page, perPage });
  if (!admin) throw pathNotFound();
  const { total, nodes } = admin.runners;
  const scopeLinks = scopes.map((name) => [name, url(`${path}?scope=${name}`)] as const);
  return adminPage(visit, {
    section: path,
    title: 'Runners',
    main: html`${registration(visit, admin.applicationSettings.runnersToken)}
<h2>${total} ${total === 1 ? 'runner' : 'runners'}</h2>
${choices('Filter', [['all', url(path)], ...scopeLinks], scope ?? 'all')}
${table(
  'Runners',
  scope ? `No runner is ${scope}.` : 'No runner is registered yet.',
  ['Runner', 'State', 'Tags', 'Last contact', ''],
  nodes.map((runner) => rowOf(visit, runner)),
)}
${pager({ address: url(path), page, total, query: scope ? { scope } : {} })}`,
  });
}

/** How a shared runner is registered. */
const registration = (visit: Visit, token: string | null): Html => html`
<p>Runners run the jobs of pipelines. A shared runner runs those of all projects that use shared
runners; it is registered with this token.</p>
<details><summary>Show the registration token</summary>
<p><code class="long">${token ?? 'No token exists yet: reset it to create one.'}</code></p></details>
${confirmedForm(
  visit,
  { address: visit.url(`${path}/reset_token`), label: 'Reset the registration token' },
  'The current token stops working. Runners that are registered keep working.',
)}`;

const nameOf = ({ id, description, name }: Runner): string => description ?? name ?? `Runner ${id}`;

const rowOf = (visit: Visit, runner: Runner): readonly Shown[] => {
  const address = visit.url(`${path}/${runner.id}`);
  return [
    html`#${runner.id} ${nameOf(runner)} <span class="quiet">${runner.version}</span>`,
    badges([runner.isActive ? 'active' : 'paused', runner.isShared ? 'shared' : 'specific']),
    badges(runner.tagList ?? []),
    runner.contactedAt === null ? 'never' : when(runner.contactedAt),
    html`<div class="row">${actionForm(visit, {
      address: `${address}/${runner.isActive ? 'pause' : 'resume'}`,
      label: runner.isActive ? 'Pause' : 'Resume',
      about: nameOf(runner),
      look: 'small',
    })}${confirmedForm(
      visit,
      { address: `${address}/delete`, label: 'Delete', about: nameOf(runner) },
      'The runner must be registered again to run jobs.',
    )}</div>`,
  ];
};

const acting =
  (act: (visit: Visit, id: number) => Promise<unknown>) =>
  async (visit: Visit): Promise<Answer> => {
    await act(visit, numberIn(visit.params.id ?? ''));
    return saved(visit.url(path));
  };

async function resetToken(visit: Visit): Promise<Answer> {
  await visit.ask(ResetToken, {});
  return saved(visit.url(path));
}

export const runnerPages: readonly Page[] = [
  adminGet(path, runnersPage),
  adminPost(`${path}/reset_token`, resetToken),
  adminPost(
    `${path}/:id/pause`,
    acting((visit, id) => visit.ask(Update, { id, isActive: false })),
  ),
  adminPost(
    `${path}/:id/resume`,
    acting((visit, id) => visit.ask(Update, { id, isActive: true })),
  ),
  adminPost(
    `${path}/:id/delete`,
    acting((visit, id) => visit.ask(Delete, { id })),
  ),
];
