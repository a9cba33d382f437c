import { graphql, type ResultOf } from '../../../schema/client/graphql.ts';
import { encoded } from '../../../schema/kernel/percent-encoding.ts';
import { html } from '../kernel/html.ts';
import { pageOf, pager, perPage } from '../kernel/listing.ts';
import type { Answer, Visit } from '../kernel/page.ts';
import { when } from '../kernel/times.ts';
import { projectRowFields, projectRows } from '../projects/project-rows.ts';

export const userFields = graphql(`
  fragment UserFields on User {
    id username name bio location organization websiteUrl state createdAt
  }
`);

const projects = graphql(
  `query BrowsedUser($user: ID!, $page: Int!, $perPage: Int!) {
    personalProjects(user: $user, page: $page, perPage: $perPage, orderBy: name, sort: asc) {
      total nodes { ...ProjectRowFields }
    }
  }`,
  [projectRowFields],
);

/** A user with their visible projects. */
export async function showUser(visit: Visit, user: ResultOf<typeof userFields>): Promise<Answer> {
  const { id, username, name, bio, location, organization, websiteUrl, state, createdAt } = user;
  const page = pageOf(visit);
  const variables = { user: String(id), page, perPage };
  const { total, nodes } = (await visit.ask(projects, variables)).personalProjects;
  const isWeb = /^https?:\/\//i.test(websiteUrl);
  return {
    title: `${name} (${username})`,
    main: html`<h1>${name} <span class="number">@${username}</span>${
      state !== 'active' && html` <span class="badge">blocked</span>`
    }</h1>
${bio && html`<p>${bio}</p>`}
<dl class="traits">
${organization && html`<dt>Organization</dt><dd>${organization}</dd>`}
${location && html`<dt>Location</dt><dd>${location}</dd>`}
${websiteUrl && html`<dt>Website</dt><dd>${isWeb ? html`<a href="${websiteUrl}" rel="nofollow noopener noreferrer">${websiteUrl}</a>` : websiteUrl}</dd>`}
<dt>Member since</dt><dd>${when(createdAt)}</dd>
</dl>
<h2>Personal projects</h2>
${projectRows(visit, nodes)}
${pager({ address: visit.url(`/${encoded(username)}`), page, total })}`,
  };
}
