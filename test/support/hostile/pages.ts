import { visitorAt } from '../visitor.ts';
import { type HostileCase, statusOf, worstOf } from './case.ts';
import type { HostileTarget } from './target.ts';

const visit = ({ url }: HostileTarget, path: string, headers: Record<string, string> = {}) =>
  statusOf(fetch(`${url}${path}`, { redirect: 'manual', headers }));

/** Sends a form as a browser with the page's cookie and form token. */
const fill = async ({ url }: HostileTarget, path: string, fields: Record<string, string>) =>
  (await visitorAt(url).submitFrom(path, path, fields)).status;

/** Requests for pages from browsers, and from programs that claim to be browsers. */
export const pageCases: readonly HostileCase[] = [
  {
    title: 'a page address of 7,000 slashes',
    expected: [404],
    send: (target) => visit(target, '/'.repeat(7_000)),
  },
  {
    title: 'a page address of 2,500 encoded slashes',
    expected: [404],
    send: (target) => visit(target, `/${'%2F'.repeat(2_500)}`),
  },
  {
    title: 'a page address of percent signs',
    expected: [400, 404],
    send: (target) => visit(target, `/${'%'.repeat(7_000)}`),
  },
  {
    title: 'a reference of 3,000 folders in a page address',
    expected: [404],
    send: (target) => visit(target, `/${target.project.fullPath}/tree/${'a/'.repeat(3_000)}`),
  },
  {
    title: 'a cookie header of 12,000 semicolons',
    expected: [200],
    send: (target) => visit(target, '/users/sign_in', { Cookie: ';'.repeat(12_000) }),
  },
  {
    title: 'a cookie header of 3,000 session cookies',
    expected: [200],
    send: (target) =>
      visit(target, '/users/sign_in', { Cookie: '_millrace_session=a;'.repeat(700) }),
  },
  {
    title: 'an Accept-Language header of 3,000 languages',
    expected: [200],
    send: (target) =>
      visit(target, '/users/sign_in', { 'Accept-Language': 'de;q=0.1,'.repeat(1_500) }),
  },
  {
    title: 'a password of 250,000 characters on the sign-in page',
    expected: [401],
    send: (target) =>
      fill(target, '/users/sign_in', { login: 'attacker', password: 'p'.repeat(250_000) }),
  },
  {
    title: 'a login of 250,000 characters on the sign-in page',
    expected: [401],
    send: (target) => fill(target, '/users/sign_in', { login: '('.repeat(250_000), password: 'p' }),
  },
  {
    title: 'an e-mail address of 250,000 characters on the sign-up page',
    expected: [422],
    send: (target) =>
      fill(target, '/users/sign_up', {
        name: 'x',
        username: 'x',
        email: `${'a@'.repeat(125_000)}`,
        password: 'long enough',
      }),
  },
  {
    title: 'a description of 60,000 links on the page of a merge request',
    expected: [200, 302],
    send: async (target) => {
      const api = target.as(target.attacker);
      const { id, fullPath } = target.project;
      await api.post(`/projects/${id}/repository/branches`, { branch: 'links', ref: 'master' });
      await api.post(`/projects/${id}/repository/files/links`, {
        branch: 'links',
        content: 'x',
        commit_message: 'Links',
      });
      await api.post(`/projects/${id}/merge_requests`, {
        source_branch: 'links',
        target_branch: 'master',
        title: 'Links',
        description: '[a](b)'.repeat(60_000),
      });
      return visit(target, `/${fullPath}/merge_requests/1`);
    },
  },
  {
    title: 'a project description of 2,000 opening brackets',
    expected: [200],
    send: async (target) => {
      await target
        .as(target.attacker)
        .put(`/projects/${target.project.id}`, { description: '[![('.repeat(500) });
      return visit(target, `/${target.project.fullPath}`);
    },
  },
  {
    title: 'an OAuth authorization with a state of 7,000 characters',
    expected: [302, 303, 400],
    send: (target) =>
      visit(target, `/oauth/authorize?client_id=x&response_type=code&state=${'s'.repeat(7_000)}`),
  },
  {
    title: '100 pages of a project at once',
    // all wait for one thread, which renders the description once
    expected: [200],
    send: (target) =>
      worstOf(Array.from({ length: 100 }, () => visit(target, `/${target.project.fullPath}`))),
  },
];
