import { graphql } from '../../../schema/client/graphql.ts';
import { profilePage } from '../frame/profile-menu.ts';
import { numberIn } from '../kernel/addresses.ts';
import { html } from '../kernel/html.ts';
import { entries } from '../kernel/listing.ts';
import type { Answer, Page, Visit } from '../kernel/page.ts';
import { actionForm, confirmedForm, saved } from '../kernel/parts.ts';
import { when } from '../kernel/times.ts';

const Sessions = graphql(`
  query ActiveSessions($session: String) {
    browserSessions(session: $session) { id createdAt lastUsedAt isCurrent address browser }
  }
`);

const End = graphql(`mutation EndOwnSession($id: Int!) { endOwnBrowserSession(id: $id) }`);

const EndOthers = graphql(`
  mutation EndOtherBrowserSessions($session: String!) {
    endOtherBrowserSessions(session: $session)
  }
`);

const path = '/profile/active_sessions';

async function sessionsPage(visit: Visit): Promise<Answer> {
  const { browserSessions: sessions } = await visit.ask(Sessions, { session: visit.session });
  return profilePage(visit, {
    section: path,
    title: 'Sessions',
    main: html`<p>The browsers in which you are signed in. If you do not recognize one, sign it out and
<a href="${visit.url('/profile/password')}">change your password</a>, which ends all other sessions.</p>
${entries(
  sessions.map(
    ({ id, createdAt, lastUsedAt, isCurrent, address, browser }) => html`<div class="bar"><div>
<strong>${browser ?? (isCurrent ? 'This browser' : 'Another browser')}</strong>${
      isCurrent && browser && html` <span class="badge">this browser</span>`
    }
<p class="quiet">Signed in ${when(createdAt)}${address && html` from <code>${address}</code>`} · ${isCurrent ? 'in use now' : html`last used ${when(lastUsedAt)} or later`}</p>
</div>${
      !isCurrent &&
      actionForm(visit, {
        address: visit.url(`${path}/${id}/end`),
        label: 'Sign out',
        about: `session ${id}`,
        look: 'small',
      })
    }</div>`,
  ),
  'You are signed in in no browser.',
)}
<div class="row">
${
  sessions.length > 1 &&
  actionForm(visit, {
    address: visit.url('/profile/sign_out_others'),
    label: 'Sign out everywhere else',
    look: 'danger',
  })
}
${confirmedForm(
  visit,
  { address: visit.url(`${path}/end`), label: 'Sign out everywhere' },
  'All sessions end, also the one of this browser.',
)}</div>
<p class="quiet">Access tokens and SSH keys keep working: delete them on their own pages.</p>`,
  });
}

async function end(visit: Visit): Promise<Answer> {
  await visit.ask(End, { id: numberIn(visit.params.id ?? '') });
  return saved(visit.url(path));
}

async function endOthers(visit: Visit): Promise<Answer> {
  await visit.ask(EndOthers, { session: visit.session ?? '' });
  return saved(visit.url(path));
}

/** No session has the empty token, so all are others. */
async function endAll(visit: Visit): Promise<Answer> {
  await visit.ask(EndOthers, { session: '' });
  visit.setSession(null);
  return { redirect: visit.url('/users/sign_in') };
}

const access = 'signed in';

export const activeSessionPages: readonly Page[] = [
  { method: 'get', path, access, answer: sessionsPage },
  { method: 'post', path: `${path}/end`, access, answer: endAll },
  { method: 'post', path: `${path}/:id/end`, access, answer: end },
  { method: 'post', path: '/profile/sign_out_others', access, answer: endOthers },
];
