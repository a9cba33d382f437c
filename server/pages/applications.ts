import { graphql, type ResultOf } from '../../schema/client/graphql.ts';
import { type Html, html } from './html.ts';
import type { Answer, Page, ShownPage, Visit } from './page.ts';
import { backToProfile, day, numberOf, wide } from './profile-parts.ts';
import { missing } from './refused.ts';
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

type Told = ResultOf<typeof Applications>;

async function list(visit: Visit): Promise<ShownPage> {
  const applications = await visit.ask(Applications, {});
  const { url } = visit;
  return {
    title: 'Applications',
    main: html`
${backToProfile(visit)}
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

const ownTable = ({ oauthApplications: { nodes } }: Told, { url }: Visit): Html =>
  nodes.length === 0
    ? html`<p class="quiet">You have not registered any applications.</p>`
    : wide(
        'Your applications',
        html`<table>
<thead><tr><th scope="col">Name</th><th scope="col">Application ID</th><th scope="col">Scopes</th></tr></thead>
<tbody>
${nodes.map(
  ({ id, name, uid, scopes }) => html`<tr>
<th scope="row"><a href="${url(`/profile/applications/${id}`)}">${name}</a></th>
<td class="long"><code>${uid}</code></td>
<td>${scopeList(scopes)}</td>
</tr>`,
)}
</tbody>
</table>`,
      );

const byPassword = 'Applications that used your password';

const authorizedTable = ({ authorizedOauthApplications: { nodes } }: Told, visit: Visit): Html =>
  nodes.length === 0
    ? html`<p class="quiet">There are no authorized applications.</p>`
    : wide(
        'Authorized applications',
        html`<table>
<thead><tr><th scope="col">Name</th><th scope="col">Scopes</th><th scope="col">First authorized</th>
<th scope="col">Last authorized</th><td></td></tr></thead>
<tbody>
${nodes.map(
  ({ applicationId, name, scopes, firstAuthorizedAt, lastAuthorizedAt }) => html`<tr>
<th scope="row">${name ?? byPassword}</th>
<td>${scopeList(scopes)}</td>
<td>${day(firstAuthorizedAt)}</td>
<td>${day(lastAuthorizedAt)}</td>
<td><form method="post" action="${visit.url('/profile/applications/revoke')}">
${visit.formToken}
<input type="hidden" name="application_id" value="${applicationId}">
<button class="danger" aria-label="Revoke ${name ?? byPassword}">Revoke</button>
</form></td>
</tr>`,
)}
</tbody>
</table>`,
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
