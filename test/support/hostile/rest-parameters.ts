import { type HostileCase, statusOf, worstOf } from './case.ts';
import type { HostileTarget } from './target.ts';

const as = ({ url, attacker }: HostileTarget, path: string, init: RequestInit = {}) =>
  statusOf(
    fetch(`${url}/api/v4${path}`, {
      ...init,
      redirect: 'manual',
      headers: { 'Private-Token': attacker.token, ...init.headers },
    }),
  );

const sendForm = (target: HostileTarget, path: string, body: string, type: string) =>
  as(target, path, { method: 'POST', headers: { 'Content-Type': type }, body });

const form = 'application/x-www-form-urlencoded';
const json = 'application/json';

/** Node accepts at most 16 KiB for the request line and headers. */
const line = 15_000;
const body = 262_144;

const repository = ({ project }: HostileTarget) => `/projects/${project.id}/repository`;

/** Hostile query strings, path segments and bodies of REST. */
export const restParameterCases: readonly HostileCase[] = [
  {
    title: 'a search text of 15,000 characters',
    expected: [400],
    send: (target) =>
      as(target, `/projects?search=${'a%'.repeat(line / 4)}`.replaceAll('%', '%25')),
  },
  {
    title: 'a search text of wildcards of LIKE',
    expected: [400],
    send: (target) => as(target, `/projects?search=${'%25_'.repeat(line / 4)}`),
  },
  {
    title: 'a search of users by 5,000 words',
    expected: [400],
    send: (target) => as(target, `/users?search=${'a+'.repeat(line / 2)}`),
  },
  {
    title: 'a page far behind the last',
    expected: [200],
    send: (target) => as(target, '/projects?page=2147483647&per_page=100'),
  },
  {
    title: '3,000 ids in a list parameter',
    expected: [200],
    send: (target) => as(target, `/issues?iids=${'1,'.repeat(line / 2)}`),
  },
  {
    title: '2,500 labels in a filter',
    expected: [200],
    send: (target) =>
      as(target, `/projects/${target.project.id}/issues?labels=${'ab,'.repeat(line / 6)}`),
  },
  {
    title: 'brackets nested in a query string',
    expected: [400],
    send: (target) => as(target, `/projects?a${'[b]'.repeat(line / 3)}=1`),
  },
  {
    title: 'brackets nested 80,000 deep in a form',
    expected: [400],
    send: (target) => sendForm(target, '/projects', `name${'[a]'.repeat(body / 3)}=1`, form),
  },
  {
    title: '130,000 keys in a form',
    expected: [400],
    send: (target) =>
      sendForm(
        target,
        '/groups',
        Array.from({ length: body / 6 }, (_, at) => `k${at}=`).join('&'),
        form,
      ),
  },
  {
    title: 'a form of ampersands and equal signs',
    expected: [400],
    send: (target) => sendForm(target, '/projects', '&='.repeat(body / 2), form),
  },
  {
    title: 'a form of invalid percent signs',
    expected: [400],
    send: (target) => sendForm(target, '/groups', `name=${'%'.repeat(body)}`, form),
  },
  {
    title: 'JSON arrays nested 130,000 deep',
    expected: [400],
    send: (target) =>
      sendForm(target, '/projects', `${'['.repeat(body / 2)}${']'.repeat(body / 2)}`, json),
  },
  {
    title: 'JSON objects nested 40,000 deep',
    expected: [400],
    send: (target) =>
      sendForm(
        target,
        '/projects',
        `{"name":${'{"a":'.repeat(body / 6)}1${'}'.repeat(body / 6)}}`,
        json,
      ),
  },
  {
    title: 'JSON of 20,000 keys',
    expected: [400],
    send: (target) =>
      sendForm(
        target,
        '/projects',
        `{${Array.from({ length: 20_000 }, (_, at) => `"k${at}":1`).join(',')}}`,
        json,
      ),
  },
  {
    title: 'JSON that names its prototype',
    expected: [400],
    send: (target) =>
      sendForm(
        target,
        '/projects',
        '{"__proto__":{"name":"x"},"constructor":{"prototype":{}}}',
        json,
      ),
  },
  {
    title: 'a JSON number of 200,000 digits',
    expected: [400],
    send: (target) =>
      sendForm(target, '/projects', `{"namespace_id":${'9'.repeat(200_000)},"name":"n"}`, json),
  },
  {
    title: 'a multipart form of 5,000 parts',
    expected: [413],
    send: (target) =>
      sendForm(
        target,
        `/projects/${target.project.id}/uploads`,
        `${'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n'.repeat(5_000)}--x--`,
        'multipart/form-data; boundary=x',
      ),
  },
  {
    title: 'a multipart form whose boundary occurs almost everywhere',
    expected: [400],
    send: (target) =>
      sendForm(
        target,
        `/projects/${target.project.id}/uploads`,
        `--${'-'.repeat(60)}\r\n${`\r\n${'-'.repeat(60)}`.repeat(body / 62)}`,
        `multipart/form-data; boundary=${'-'.repeat(60)}`,
      ),
  },
  {
    title: 'a project path of 7,000 slashes',
    expected: [400],
    send: (target) => as(target, `/projects/${'%2F'.repeat(line / 3)}`),
  },
  {
    title: 'a project path of 7,000 dots and slashes',
    expected: [400],
    send: (target) => as(target, `/projects/${'..%2F'.repeat(line / 5)}`),
  },
  {
    title: 'a file path of 7,000 folders',
    expected: [404],
    send: (target) =>
      as(target, `${repository(target)}/files/${'a%2F'.repeat(line / 4)}x?ref=master`),
  },
  {
    title: 'a revision of 5,000 carets',
    expected: [404],
    send: (target) => as(target, `${repository(target)}/tree?ref=master${'%5E'.repeat(line / 3)}`),
  },
  {
    title: 'a revision that searches messages by a pattern',
    expected: [404],
    send: (target) =>
      as(target, `${repository(target)}/commits?ref_name=${encodeURIComponent(':/(a+)+$')}`),
  },
  {
    title: 'a date of 15,000 digits',
    expected: [400],
    send: (target) => as(target, `${repository(target)}/commits?since=${'9'.repeat(line)}`),
  },
  {
    title: 'a note of 250,000 mentions',
    expected: [201],
    send: async (target) => {
      const issue = await target.as(target.attacker).post(`/projects/${target.project.id}/issues`, {
        title: 'Mentions',
      });
      const { iid } = issue.body as { iid: number };
      const notes = `/projects/${target.project.id}/issues/${iid}/notes`;
      return as(target, notes, {
        method: 'POST',
        headers: { 'Content-Type': json },
        body: JSON.stringify({ body: '@a '.repeat(body / 3) }),
      });
    },
  },
  {
    title: 'an issue title of 250,000 characters',
    expected: [400],
    send: (target) =>
      sendForm(target, `/projects/${target.project.id}/issues`, `title=${'a'.repeat(body)}`, form),
  },
  {
    title: 'labels of 100,000 commas',
    expected: [400],
    send: (target) =>
      sendForm(
        target,
        `/projects/${target.project.id}/issues`,
        `title=x&labels=${'a,'.repeat(body / 2)}`,
        form,
      ),
  },
  {
    title: 'a time estimate of 250,000 characters',
    expected: [400],
    send: (target) =>
      sendForm(
        target,
        `/projects/${target.project.id}/issues/1/time_estimate`,
        `duration=${'1h '.repeat(body / 3)}`,
        form,
      ),
  },
  {
    title: 'a password of 250,000 characters',
    expected: [401],
    send: (target) =>
      sendForm(target, '/session', `login=attacker&password=${'p'.repeat(body)}`, form),
  },
  {
    title: 'an SSH key of 250,000 characters',
    expected: [400],
    send: (target) =>
      sendForm(target, '/user/keys', `title=x&key=ssh-rsa+${'A'.repeat(body)}`, form),
  },
  {
    title: 'an Accept-Encoding header of 3,000 codings',
    expected: [200],
    send: (target) =>
      as(target, '/projects', { headers: { 'Accept-Encoding': 'gzip;q=0.1,'.repeat(1_300) } }),
  },
  {
    title: 'an If-None-Match header of 5,000 tags',
    expected: [200],
    send: (target) =>
      as(target, '/projects', { headers: { 'If-None-Match': '"a",'.repeat(line / 4) } }),
  },
  {
    title: 'a Range header of 2,000 ranges',
    expected: [200],
    send: (target) =>
      as(target, `${repository(target)}/files/README.md/raw?ref=master`, {
        headers: { Range: `bytes=${'0-1,'.repeat(2_000)}2-3` },
      }),
  },
  {
    title: 'an Authorization header of 12,000 characters of Base64',
    expected: [200],
    send: ({ url }) =>
      statusOf(
        fetch(`${url}/api/v4/projects`, {
          headers: { Authorization: `Basic ${'A'.repeat(12_000)}` },
        }),
      ),
  },
  {
    title: '100 requests for the largest page at once',
    expected: [200],
    send: (target) =>
      worstOf(
        Array.from({ length: 100 }, () => as(target, '/projects?per_page=100&statistics=true')),
      ),
  },
];
