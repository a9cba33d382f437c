import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import { profileMenu } from '../frame/profile-menu.ts';
import { numberOf } from '../kernel/addresses.ts';
import { type Fault, orFault } from '../kernel/fault.ts';
import { type Html, html } from '../kernel/html.ts';
import type { Answer, Page, ShownPage, Visit } from '../kernel/page.ts';
import { confirmedForm, shownOnce } from '../kernel/parts.ts';
import { missing, refused } from '../kernel/refused.ts';
import { when } from '../kernel/times.ts';
import {
  type ApplicationInput,
  applicationForm,
  applicationInput,
  applicationVariables,
  type FormTarget,
} from './application-form.ts';
import { scopeList } from './scopes.ts';

const Fields = graphql(`
  fragment ApplicationFields on OauthApplication {
    id name uid redirectUris scopes isTrusted isConfidential createdAt
  }
`);

const May = graphql(`
  query MayRegisterApplications { viewer { account { canRegisterOauthApplications } } }
`);

const Show = graphql(
  `query Application($id: Int!) { oauthApplication(id: $id) { ...ApplicationFields } }`,
  [Fields],
);

const Create = graphql(
  `mutation CreateApplication(
    $name: String!, $redirectUris: [String!]!, $scopes: [String!]!, $isConfidential: Boolean!
  ) {
    createOauthApplication(
      name: $name, redirectUris: $redirectUris, scopes: $scopes, isConfidential: $isConfidential
    ) { secret application: oauthApplication { ...ApplicationFields } }
  }`,
  [Fields],
);

const Update = graphql(`
  mutation UpdateApplication(
    $id: Int!, $name: String!, $redirectUris: [String!]!, $scopes: [String!]!
    $isConfidential: Boolean!
  ) {
    updateOauthApplication(
      id: $id, name: $name, redirectUris: $redirectUris, scopes: $scopes
      isConfidential: $isConfidential
    ) { id }
  }
`);

const Renew = graphql(
  `mutation RenewApplicationSecret($id: Int!) {
    resetOauthApplicationSecret(id: $id) { secret application: oauthApplication { ...ApplicationFields } }
  }`,
  [Fields],
);

const Delete = graphql(`
  mutation DeleteApplication($id: Int!) { deleteOauthApplication(id: $id) }
`);

type Application = ResultOf<typeof Fields>;

const root = '/profile/applications';

const back = (visit: Visit): Html =>
  html`${profileMenu(visit, root)}
<nav aria-label="Breadcrumb" class="quiet"><a href="${visit.url(root)}">Applications</a></nav>`;

const empty: ApplicationInput = { name: '', redirectUris: '', scopes: [], isConfidential: true };

async function newApplication(visit: Visit): Promise<Answer> {
  const { viewer } = await visit.ask(May, {});
  return viewer.account?.canRegisterOauthApplications
    ? newPage(visit, empty)
    : refused(403, 'Registering applications is disabled.');
}

const formPage = (
  visit: Visit,
  title: string,
  target: FormTarget,
  input: ApplicationInput,
  fault: Fault | null,
): ShownPage => ({
  title,
  status: fault?.status ?? 200,
  main: html`${back(visit)}
<h1>${title}</h1>
${applicationForm(visit, input, fault, target)}`,
});

const newPage = (visit: Visit, input: ApplicationInput, fault: Fault | null = null): ShownPage =>
  formPage(visit, 'New application', { action: root, button: 'Register' }, input, fault);

function create(visit: Visit): Promise<Answer> {
  const input = applicationInput(visit);
  return orFault(
    visit,
    async () => {
      const { createOauthApplication: created } = await visit.ask(
        Create,
        applicationVariables(input),
      );
      return showPage(visit, created.application, { secret: created.secret, status: 201 });
    },
    (fault) => newPage(visit, input, fault),
  );
}

/** A handler for the application that the address names. */
const named =
  (answer: (visit: Visit, id: number) => Promise<Answer>) =>
  async (visit: Visit): Promise<Answer> => {
    const id = numberOf(visit.params.id);
    return id === null ? missing : answer(visit, id);
  };

const show = named(async (visit, id) =>
  showPage(visit, (await visit.ask(Show, { id })).oauthApplication),
);

function showPage(
  visit: Visit,
  application: Application,
  { secret, status }: { readonly secret?: string; readonly status?: number } = {},
): ShownPage {
  const { id, name, uid, redirectUris, scopes, isConfidential, isTrusted, createdAt } = application;
  const { url } = visit;
  return {
    title: name,
    status: status ?? 200,
    main: html`${back(visit)}
<h1>${name}</h1>
${secret !== undefined && shownOnce('Secret', secret)}
<dl class="traits">
<dt>Application ID</dt><dd class="code">${uid}</dd>
<dt>Redirect URIs</dt>${redirectUris.map((uri) => html`<dd class="code">${uri}</dd>`)}
<dt>Scopes</dt><dd>${scopeList(scopes)}</dd>
<dt>Confidential</dt><dd>${isConfidential ? 'Yes' : 'No'}</dd>
${isTrusted && html`<dt>Trusted</dt><dd>Does not ask for consent</dd>`}
<dt>Registered</dt><dd>${when(createdAt)}</dd>
</dl>
<p><a class="button" href="${url(`${root}/${id}/edit`)}">Edit</a></p>
${confirmedForm(visit, { address: visit.url(`${root}/${id}/secret`), label: 'Renew secret' }, 'The current secret stops working immediately.')}
${confirmedForm(visit, { address: visit.url(`${root}/${id}/delete`), label: 'Delete' }, 'All authorizations of this application are revoked immediately.')}`,
  };
}

const edit = named(async (visit, id) => {
  const { oauthApplication: application } = await visit.ask(Show, { id });
  const redirectUris = application.redirectUris.join('\n');
  return editPage(visit, id, { ...application, redirectUris });
});

const editPage = (
  visit: Visit,
  id: number,
  input: ApplicationInput,
  fault: Fault | null = null,
): ShownPage =>
  formPage(visit, 'Edit application', { action: `${root}/${id}`, button: 'Save' }, input, fault);

const update = named((visit, id) => {
  const input = applicationInput(visit);
  return orFault(
    visit,
    async () => {
      await visit.ask(Update, { id, ...applicationVariables(input) });
      return { redirect: visit.url(`${root}/${id}`) };
    },
    (fault) => editPage(visit, id, input, fault),
  );
});

const renew = named(async (visit, id) => {
  const { resetOauthApplicationSecret: renewed } = await visit.ask(Renew, { id });
  return showPage(visit, renewed.application, { secret: renewed.secret });
});

const remove = named(async (visit, id) => {
  await visit.ask(Delete, { id });
  return { redirect: visit.url(root) };
});

const access = 'signed in';

/** Pages to register, view, edit and delete an application. */
export const applicationPages: readonly Page[] = [
  { method: 'get', path: `${root}/new`, access, answer: newApplication },
  { method: 'post', path: root, access, answer: create },
  { method: 'get', path: `${root}/:id`, access, answer: show },
  { method: 'post', path: `${root}/:id`, access, answer: update },
  { method: 'get', path: `${root}/:id/edit`, access, answer: edit },
  { method: 'post', path: `${root}/:id/secret`, access, answer: renew },
  { method: 'post', path: `${root}/:id/delete`, access, answer: remove },
];
