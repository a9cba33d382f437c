import { graphql } from '../../../schema/client/graphql.ts';
import { type Html, html } from '../kernel/html.ts';
import type { Answer, Page, ShownPage, Visit } from '../kernel/page.ts';
import { actionForm } from '../kernel/parts.ts';

const OwnProfile = graphql(`
  query OwnProfile {
    browserSessionsCount
    viewer { name username email account { isTwoFactorEnabled } }
  }
`);

const EndOthers = graphql(`
  mutation EndOtherBrowserSessions($session: String!) {
    endOtherBrowserSessions(session: $session)
  }
`);

const places = [
  { path: '/profile/password', title: 'Password', text: 'Change your password' },
  { path: '/profile/two_factor', title: 'Two-factor authentication', text: 'Protect your account' },
  {
    path: '/profile/personal_access_tokens',
    title: 'Personal access tokens',
    text: 'Give programs access to your account',
  },
  {
    path: '/profile/applications',
    title: 'Applications',
    text: 'Register applications, and review those you authorized',
  },
] as const;

async function profilePage(visit: Visit): Promise<ShownPage> {
  const { ask, url } = visit;
  const { viewer, browserSessionsCount: browsers } = await ask(OwnProfile, {});
  return {
    title: 'Profile',
    main: html`<h1>Profile</h1>
<dl class="traits">
<dt>Name</dt><dd>${viewer.name}</dd>
<dt>Username</dt><dd><a href="${url(`/${viewer.username}`)}">${viewer.username}</a></dd>
<dt>E-mail</dt><dd>${viewer.email}</dd>
<dt>Two-factor authentication</dt><dd>${viewer.account?.isTwoFactorEnabled ? 'on' : 'off'}</dd>
</dl>
<nav aria-label="Profile"><ul class="plain">${places.map(
      ({ path, title, text }) =>
        html`<li><a href="${url(path)}">${title}</a> <span class="quiet">${text}</span></li>`,
    )}</ul></nav>
${browsers > 1 ? others(visit, browsers - 1) : null}`,
  };
}

const others = (visit: Visit, count: number): Html => html`
<h2>Other browsers</h2>
<p>You are also signed in on ${count} other ${count === 1 ? 'browser' : 'browsers'}.</p>
${actionForm(visit, { address: visit.url('/profile/sign_out_others'), label: 'Sign out everywhere else', look: 'danger' })}`;

async function signOutOthers({ ask, session, url }: Visit): Promise<Answer> {
  await ask(EndOthers, { session: session ?? '' });
  return { redirect: url('/profile') };
}

export const profilePages: readonly Page[] = [
  { method: 'get', path: '/profile', access: 'signed in', answer: profilePage },
  {
    method: 'post',
    path: '/profile/sign_out_others',
    access: 'signed in',
    answer: signOutOthers,
  },
];
