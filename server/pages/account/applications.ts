import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import { profileMenu } from '../frame/profile-menu.ts';
import { numberOf } from '../kernel/addresses.ts';
import { type Html, html } from '../kernel/html.ts';
import type { Answer, Page, ShownPage, Visit } from '../kernel/page.ts';
import { actionForm, table } from '../kernel/parts.ts';
import { missing } from '../kernel/refused.ts';
import { when } from '../kernel/times.ts';
import { scopeList } from './scopes.ts';

const Applications = graphql(`
  query Applications {
    viewer { account { canRegisterOauthApplications } }
    oauthApplications(perPage: 100) { nodes { id name uid scopes } }
    authorizedOauthApplications(perPage: 100) {
      nodes { applicationId name scopes firstAuthorizedAt lastAuthorizedAt }
      total
    }
  }
`);

const Revoke = graphql(`
  mutation RevokeAuthorization($applicationId: Int) {
    revokeOauthAuthorization(applicationId: $applicationId)
  }
`);

type Listed = ResultOf<typeof Applications>;

async function list(visit: Visit): Promise<ShownPage> {
  const applications = await visit.ask(Applications, {});
  const { url } = visit;
  return {
    title: 'Applications',
    main: html`
${profileMenu(visit, '/profile/applications')}
<h1>Applications</h1>
<section aria-labelledby="own">
<h2 id="own">Your applications</h2>
<p>Applications that users can authorize to access their accounts.</p>
${ownTable(applications, visit)}
${
  applications.viewer.account?.canRegisterOauthApplications
    ? html`<p><a class="button" href="${url('/profile/applications/new')}">New application</a></p>`
    : html`<p class="quiet">Registering applications is disabled.</p>`
}
</section>
<section aria-labelledby="authorized">
<h2 id="authorized">Authorized applications</h2>
<p>Applications that can access your account.</p>
${authorizedTable(applications, visit)}
</section>`,
  };
}

const ownTable = ({ oauthApplications: { nodes } }: Listed, { url }: Visit): Html =>
  table(
    'Your applications',
    'You have not registered any applications.',
    ['Name', 'Application ID', 'Scopes'],
    nodes.map(({ id, name, uid, scopes }) => [
      html`<a href="${url(`/profile/applications/${id}`)}">${name}</a>`,
      html`<code class="long">${uid}</code>`,
      scopeList(scopes),
    ]),
  );

const byPassword = 'Applications that used your password';

const authorizedTable = ({ authorizedOauthApplications: { nodes } }: Listed, visit: Visit): Html =>
  table(
    'Authorized applications',
    'There are no authorized applications.',
    ['Name', 'Scopes', 'First authorized', 'Last authorized', ''],
    nodes.map(({ applicationId, name, scopes, firstAuthorizedAt, lastAuthorizedAt }) => [
      name ?? byPassword,
      scopeList(scopes),
      when(firstAuthorizedAt),
      when(lastAuthorizedAt),
      actionForm(visit, {
        address: visit.url('/profile/applications/revoke'),
        label: 'Revoke',
        about: name ?? byPassword,
        look: 'danger',
        fields: html`<input type="hidden" name="application_id" value="${applicationId}">`,
      }),
    ]),
  );

async function revoke({ form, ask, url }: Visit): Promise<Answer> {
  const isByPassword = form.application_id === '';
  const applicationId = isByPassword ? null : numberOf(form.application_id);
  if (applicationId === null && !isByPassword) return missing;
  await ask(Revoke, { applicationId });
  return { redirect: url('/profile/applications') };
}

/** The user's own applications, and those they authorized. */
export const applicationsPages: readonly Page[] = [
  { method: 'get', path: '/profile/applications', access: 'signed in', answer: list },
  { method: 'post', path: '/profile/applications/revoke', access: 'signed in', answer: revoke },
];
