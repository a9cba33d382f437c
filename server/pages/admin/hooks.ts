import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import { pathNotFound } from '../../../schema/kernel/errors.ts';
import { adminPage } from '../frame/admin-menu.ts';
import { numberIn } from '../kernel/addresses.ts';
import { type Fault, orFault } from '../kernel/fault.ts';
import { faultAlert } from '../kernel/fault-alert.ts';
import { faultText } from '../kernel/form-faults.ts';
import { checkbox, field, formOf } from '../kernel/forms.ts';
import { html, type Shown } from '../kernel/html.ts';
import { badges, pageOf, pager, perPage } from '../kernel/listing.ts';
import type { Answer, Page, Visit } from '../kernel/page.ts';
import { actionForm, confirmedForm, notice, saved, table } from '../kernel/parts.ts';
import { adminGet, adminPost } from './admin-pages.ts';

const Hooks = graphql(`
  query AdminHooks($page: Int!, $perPage: Int!) {
    admin {
      systemHooks(page: $page, perPage: $perPage) {
        total
        nodes {
          id url enableSslVerification
          pushEvents tagPushEvents mergeRequestsEvents repositoryUpdateEvents
        }
      }
    }
  }
`);

const Create = graphql(
  `mutation AdminCreateHook($hook: NewHook!) { createHook(hook: $hook) { id } }`,
);
const Delete = graphql(`mutation AdminDeleteHook($id: Int!) { deleteHook(id: $id) }`);
const Test = graphql(`mutation AdminTestHook($id: Int!) { testHook(id: $id) }`);

type Hook = NonNullable<ResultOf<typeof Hooks>['admin']>['systemHooks']['nodes'][number];

const path = '/admin/hooks';

const events = [
  ['pushEvents', 'Pushes to branches'],
  ['tagPushEvents', 'Pushes of tags'],
  ['mergeRequestsEvents', 'Merge requests'],
  ['repositoryUpdateEvents', 'Repository updates'],
] as const;

async function hooksPage(visit: Visit, fault?: Fault): Promise<Answer> {
  const page = pageOf(visit);
  const { admin } = await visit.ask(Hooks, { page, perPage });
  if (!admin) throw pathNotFound();
  const { nodes, total } = admin.systemHooks;
  return adminPage(visit, {
    section: path,
    title: 'System hooks',
    status: fault?.status,
    main: html`${visit.query.tested === '1' && notice('The test was sent.')}
<p>The server sends a JSON text to the URL of a hook for each new, changed or deleted project, group,
user, member and key, and for the events that the hook chooses.</p>
${table(
  'System hooks',
  'There are no system hooks yet.',
  ['URL', 'Further events', ''],
  nodes.map((hook) => rowOf(visit, hook)),
)}
${pager({ address: visit.url(path), page, total })}
<h2>New system hook</h2>
${hookForm(visit, fault)}`,
  });
}

const rowOf = (visit: Visit, hook: Hook): readonly Shown[] => [
  html`<code class="long">${hook.url}</code>${!hook.enableSslVerification && badges(['TLS is not verified'])}`,
  badges(events.map(([name, label]) => hook[name] && label)),
  html`<div class="row">${actionForm(visit, {
    address: visit.url(`${path}/${hook.id}/test`),
    label: 'Test',
    about: hook.url,
    look: 'small',
  })}${confirmedForm(
    visit,
    { address: visit.url(`${path}/${hook.id}/delete`), label: 'Delete', about: hook.url },
    'The program is no longer notified.',
  )}</div>`,
];

function hookForm(visit: Visit, fault: Fault | undefined) {
  const { form } = visit;
  const faults = fault?.fields ?? {};
  return formOf(
    visit,
    { address: visit.url(path), submit: 'Add system hook' },
    html`${faultAlert(fault, ['url', 'token'])}
${field({
  name: 'url',
  label: 'URL',
  type: 'url',
  value: form.url ?? '',
  isRequired: true,
  fault: faultText(faults, 'url', 'URL'),
})}
${field({
  name: 'token',
  label: 'Secret token',
  type: 'password',
  autocomplete: 'off',
  hint: 'Sent in the header X-Gitlab-Token, so that your program can check the sender.',
  fault: faultText(faults, 'token', 'Secret token'),
})}
${events.map(([name, label]) =>
  checkbox({ name, label, isChecked: fault ? form[name] === '1' : false }),
)}
${checkbox({
  name: 'enableSslVerification',
  label: 'Verify the TLS certificate',
  isChecked: fault ? form.enableSslVerification === '1' : true,
})}`,
  );
}

const create = (visit: Visit): Promise<Answer> =>
  orFault(
    visit,
    async () => {
      const { form } = visit;
      const isOn = (name: string) => form[name] === '1';
      await visit.ask(Create, {
        hook: {
          url: form.url ?? '',
          token: form.token || null,
          pushEvents: isOn('pushEvents'),
          tagPushEvents: isOn('tagPushEvents'),
          mergeRequestsEvents: isOn('mergeRequestsEvents'),
          repositoryUpdateEvents: isOn('repositoryUpdateEvents'),
          enableSslVerification: isOn('enableSslVerification'),
        },
      });
      return saved(visit.url(path));
    },
    (fault) => hooksPage(visit, fault),
  );

const idOf = ({ params }: Visit): number => numberIn(params.id ?? '');

const test = (visit: Visit): Promise<Answer> =>
  orFault(
    visit,
    async () => {
      await visit.ask(Test, { id: idOf(visit) });
      return { redirect: visit.url(`${path}?tested=1`) };
    },
    (fault) => hooksPage(visit, fault),
  );

async function remove(visit: Visit): Promise<Answer> {
  await visit.ask(Delete, { id: idOf(visit) });
  return saved(visit.url(path));
}

export const hookPages: readonly Page[] = [
  adminGet(path, (visit) => hooksPage(visit)),
  adminPost(path, create),
  adminPost(`${path}/:id/test`, test),
  adminPost(`${path}/:id/delete`, remove),
];
