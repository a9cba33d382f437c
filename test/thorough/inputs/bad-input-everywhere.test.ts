import { stringify } from 'qs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { routes } from '../../../rest-facade/index.ts';
import type { Client, Parameters } from '../../support/client.ts';
import { receiver } from '../../support/receiver.ts';
import { newPublicKey } from '../../support/ssh-keys.ts';
import { world } from '../../support/world.ts';

const { as, seed, root } = await world({ variables: { MILLRACE_ALLOW_LOCAL_REQUESTS: 'on' } });
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const cleo = await seed.user('cleo');
const { id: group } = await seed.group('acme', { owner: [ada, cleo] }, { visibility: 'public' });
const { id: otherGroup } = await seed.group('others', { owner: ada });
const { id: project } = await seed.project(
  'acme/app',
  { master: [ada, cleo] },
  { visibility: 'public' },
);
const { id: otherProject } = await seed.project('others/app');
const firstSha = await seed.push('acme/app', {
  'README.md': '# App',
  '.gitlab-ci.yml': 'unit: { script: test }',
});
const makeTag = () =>
  as(ada).post(`/projects/${project}/repository/tags`, { tag_name: 'v1', ref: 'master' });
await makeTag();
await as(ada).post(`/projects/${project}/releases`, {
  tag_name: 'released',
  ref: 'master',
  assets: { links: [{ name: 'It', url: 'https://files.example/it' }] },
});
const { body: label } = await as(ada).post(`/groups/${group}/labels`, {
  name: 'bug',
  color: '#f00',
});
await as(ada).post(`/projects/${project}/issues`, { title: 'It' });
await as(ada).post(`/projects/${project}/wikis`, { title: 'home', content: 'It' });
const { body: issueNote } = await as(ada).post(`/projects/${project}/issues/1/notes`, {
  body: 'Yes',
});

await as(root).put(`/projects/${project}`, { snippets_enabled: true });
const { body: snippet } = await as(ada).post(`/projects/${project}/snippets`, {
  title: 'It',
  file_name: 'it.rb',
  code: 'it',
  visibility: 'private',
});
const snippetId = (snippet as { id: number }).id;
const { body: snippetNote } = await as(ada).post(
  `/projects/${project}/snippets/${snippetId}/notes`,
  { body: 'Yes' },
);
const { body: deployKey } = await as(ada).post(`/projects/${project}/deploy_keys`, {
  title: 'It',
  key: newPublicKey(),
});

await as(ada).post(`/projects/${project}/repository/files/topic.txt`, {
  branch: 'topic',
  start_branch: 'master',
  content: 'topic',
  commit_message: 'Topic',
});
await as(ada).post(`/projects/${project}/merge_requests`, {
  source_branch: 'topic',
  target_branch: 'master',
  title: 'It',
});
await as(ada).post(`/projects/${project}/repository/branches`, { branch: 'spare', ref: 'topic' });
const { body: mergeRequestNote } = await as(ada).post(
  `/projects/${project}/merge_requests/1/notes`,
  { body: 'Yes' },
);

const { url: hookUrl } = await receiver();
const { body: hook } = await as(ada).post(`/projects/${project}/hooks`, { url: hookUrl });
const { body: systemHook } = await as(root).post('/hooks', { url: hookUrl });

/** The registration token of a project, and a runner registered with it. */
async function runnerOf(projectId: number) {
  const { body } = await as(root).get(`/projects/${projectId}`);
  const { runners_token: token } = body as { runners_token: string };
  const { body: created } = await as(null).post('/runners', { token });
  return { registering: token, runner: created as { readonly id: number; readonly token: string } };
}
const { registering: registrationToken, runner } = await runnerOf(project);
const { runner: otherRunner } = await runnerOf(otherProject);

const { body: pipeline } = await as(ada).post(`/projects/${project}/pipeline`, { ref: 'master' });
const { body: waiting } = await as(ada).get(`/projects/${project}/jobs`);
const [job] = waiting as [{ readonly id: number }];
const { body: createdTrigger } = await as(root).post(`/projects/${project}/triggers`, {
  description: 'It',
});
const { body: createdSchedule } = await as(root).post(`/projects/${project}/pipeline_schedules`, {
  description: 'It',
  ref: 'master',
  cron: '0 1 * * *',
});
const { body: createdEnvironment } = await as(root).post(`/projects/${project}/environments`, {
  name: 'It',
});
const environment = createdEnvironment as { readonly id: number };
const { body: createdTodo } = await as(root).post(`/projects/${project}/issues/1/todo`);
const todo = createdTodo as { readonly id: number };
const schedule = createdSchedule as { readonly id: number };
const trigger = createdTrigger as { readonly id: number; readonly token: string };

/** Of each noteable and the commit a thread, by a word of its path. */
const threads = new Map(
  await Promise.all(
    [
      ['/issues/', 'issues/1'],
      ['/merge_requests/', 'merge_requests/1'],
      ['/snippets/', `snippets/${snippetId}`],
      ['/commits/', `repository/commits/${firstSha}`],
    ].map(async ([word = '', path]) => {
      const { body } = await as(ada).post(`/projects/${project}/${path}/discussions`, {
        body: 'It',
      });
      return [word, body as { id: string; notes: [{ id: number }] }] as const;
    }),
  ),
);

const threadFor = (path: string) => [...threads].find(([word]) => path.includes(word))?.[1];

/** The id of the note on the noteable in the path. */
const noteIdFor = (path: string): number => {
  if (path.includes('/discussions/')) return threadFor(path)?.notes[0].id ?? 0;
  const note = path.includes('/snippets/') ? snippetNote : issueNote;
  return ((path.includes('/merge_requests/') ? mergeRequestNote : note) as { id: number }).id;
};

type Route = (typeof routes)[number];

/** Values that some types of parameters accept: errors can only occur after parsing. */
const oddValues: readonly unknown[] = [
  '',
  ' ',
  'x'.repeat(5000),
  '\u202eabc',
  '😀',
  'e\u0301'.repeat(200),
  '\r\nX-Evil: 1',
  '../..',
  '%_\\',
  "' OR 1=1 --",
  '1,2',
  '9999-12-31',
  '-1',
  0,
  2 ** 31 - 1,
  ['a', ''],
  Array(900).fill(1),
];

/** Values of a wrong type. */
const wrongValues: readonly unknown[] = [
  'a\0b',
  '\ud800',
  ' 1',
  '0x1',
  '9'.repeat(400),
  '2017-02-30',
  '0000-01-01',
  1.5,
  2 ** 31,
  2 ** 63,
  1e300,
  true,
  null,
  [],
  [[1]],
  [null],
  {},
  { a: 'b' },
  { 0: { a: [] } },
];

let count = 0;
/** A valid value of each parameter that is not free text. */
const validValues = (): Parameters => {
  count += 1;
  return {
    name: `n${count}`,
    path: `p${count}`,
    username: `u${count}`,
    email: `u${count}@example.com`,
    reset_password: true,
    namespace_id: group,
    parent_id: group,
    group_id: otherGroup,
    group_access: 10,
    user_id: bob.id,
    access_level: 10,
    scopes: 'api',
    login: 'unknown',
    password: 'a password',
    branch: `b${count}`,
    ref: 'master',
    tag_name: `t${count}`,
    description: 'a description',
    title: `t${count}`,
    color: '#f00',
    due_date: '9999-12-31',
    start_branch: 'master',
    source_branch: 'spare',
    target_branch: 'master',
    commit_message: 'a message',
    content: 'a content',
    file_name: 'a file',
    visibility: 'private',
    note: 'a note',
    body: 'a note',
    key: `K${count}`,
    value: 'a value',
    line: 1,
    state: 'success',
    actions: [],
    label_id: (label as { id: number }).id,
    duration: '1h',
    to_project_id: otherProject,
    token: registrationToken,
    cron: '0 1 * * *',
    runner_id: otherRunner.id,
    url: hookUrl,
  };
};

const fieldsOf = ({ operation }: Route): Readonly<Record<string, z.ZodType>> => {
  if (!(operation.params instanceof z.ZodObject)) throw new Error('parameters are an object');
  return operation.params.shape as Record<string, z.ZodType>;
};

const isInPath = ({ path }: Route, name: string) =>
  [':', '*'].some((sign) => path.split('/').includes(`${sign}${name}`));

/** A flag is true, false or rejected, so odd values of it test nothing more. */
const isFlag = (kind: z.ZodType) => kind.safeParse('off').success && !kind.safeParse('x').success;

const namesOf = (route: Route) => Object.keys(fieldsOf(route)).filter((n) => !isInPath(route, n));

/** The group of the other records stays where it is: below a private one they were private, too. */
const isGroupTransfer = ({ path }: Pick<Route, 'path'>) => path === '/groups/:id/transfer';

/** Valid parameters of a route. */
function validParams(route: Route): Parameters {
  const values = validValues();
  const names = namesOf(route).filter((name) => name in values);
  const valid = Object.fromEntries(names.map((name) => [name, values[name]]));
  if (isGroupTransfer(route)) return { group_id: group };
  if (route.path.endsWith('keys')) return { ...valid, key: newPublicKey() };
  if (route.path === '/runners') return { ...valid, access_level: 'ref_protected' };
  if (['/runners/verify', '/jobs/request'].includes(route.path)) return { token: runner.token };
  if (route.path.endsWith('/trigger/pipeline')) return { ref: 'master', token: trigger.token };
  return route.path.endsWith('/award_emoji') ? { ...valid, name: 'tada' } : valid;
}

/** The URL with existing ids; DELETE gets an unknown id, so that the records stay. */
const addressOf = ({ method, path }: Route, segment?: string): string => {
  const own = isGroupTransfer({ path }) ? otherGroup : group;
  const source = path.startsWith('/users') ? bob.id : path.startsWith('/groups') ? own : project;
  const ids: Parameters = {
    ':id': path.startsWith('/runners') ? runner.id : source,
    ':user_id': cleo.id,
    ':group_id': otherGroup,
    ':sha': path.includes('/discussions') ? firstSha : 'master',
    ':branch': 'master',
    ':tag_name': path.includes('/releases/') ? 'released' : 'v1',
    ':slug': 'home',
    ':note_id': noteIdFor(path),
    ':discussion_id': threadFor(path)?.id ?? 0,
    ':snippet_id': snippetId,
    ':pipeline_id': (pipeline as { id: number }).id,
    ':key_id': (deployKey as { id: number }).id,
    ':label_id': (label as { id: number }).id,
    ':job_id': job.id,
    ':trigger_id': trigger.id,
    ':pipeline_schedule_id': schedule.id,
    ':environment_id': environment.id,
    ':todo_id': todo.id,
    '*ref': 'master',
    '*ref_name': 'master',
    ':hook_id': ((path.startsWith('/hooks') ? systemHook : hook) as { id: number }).id,
  };
  return path.replace(/[:*]\w+/g, (name) => {
    if (segment !== undefined) return segment;
    return method === 'delete' ? '999999' : String(ids[name] ?? 1);
  });
};

interface Try {
  readonly route: Route;
  readonly address: string;
  readonly params: Parameters;
  readonly as?: 'json' | 'form';
}

const send = (client: Client, { route, address, params, as: encoding = 'json' }: Try) => {
  const method = route.method.toUpperCase();
  // Node rejects longer URLs
  if (method === 'GET') return client.fetch(`${address}?${stringify(params).slice(0, 12_000)}`);
  const body = encoding === 'json' ? JSON.stringify(params) : stringify(params);
  const type = encoding === 'json' ? 'application/json' : 'application/x-www-form-urlencoded';
  return client.fetch(address, { method, body, headers: { 'Content-Type': type } });
};

/** Files and archives are sent unchanged, not as JSON. */
const isFile = (address: string) =>
  /\/(?:raw|trace|archive[\w.]*)$/.test(new URL(address).pathname);

/** Why a client could not read the response, or null. */
async function faultOf(response: Response): Promise<string | null> {
  const { status } = response;
  const type = response.headers.get('Content-Type');
  const text = await response.text();
  if (status >= 500) return `${status} ${text}`;
  const isEmpty = [204, 302, 304].includes(status);
  if (isEmpty) return text === '' && type === null ? null : 'has a body';
  if (type === 'application/json') return JSON.parse(text) === undefined ? 'no JSON' : null;
  return status < 300 && isFile(response.url) ? null : `${status} as ${type}`;
}

/** Sends all requests, six at a time; returns the invalid responses. */
async function faultsOf(client: Client, tries: readonly Try[]): Promise<readonly string[]> {
  const faults: string[] = [];
  const waiting = tries.values();
  const sendAll = async () => {
    for (const attempt of waiting) {
      const fault = await faultOf(await send(client, attempt));
      const { route, params } = attempt;
      const text = JSON.stringify(params).slice(0, 200);
      if (fault) faults.push(`${route.method} ${attempt.address} ${text}: ${fault}`);
    }
  };
  await Promise.all(Array.from({ length: 6 }, sendAll));
  return faults;
}

/** Signing in is throttled and slow on purpose; a HEAD route is tested by its GET route. */
const testedRoutes = routes.filter(({ path, method }) => path !== '/session' && method !== 'head');

const callers = [
  ['an anonymous user', as(null), testedRoutes.filter(({ access }) => access === 'anyone')],
  ['a user', as(ada), testedRoutes.filter(({ access }) => access !== 'admin')],
  ['an administrator', as(root), testedRoutes],
] as const;

// each value is sent once to each route, in turn by the callers with access
test.each(callers)(
  '%s gets a valid response if every parameter is wrong',
  async (callerName, client, callerRoutes) => {
    const tries = callerRoutes.flatMap((route) => {
      const callersWithAccess = callers.filter(([, , allowedRoutes]) =>
        allowedRoutes.includes(route),
      );
      const turn =
        callersWithAccess.findIndex(([name]) => name === callerName) + testedRoutes.indexOf(route);
      const values = wrongValues.filter((_, n) => (n + turn) % callersWithAccess.length === 0);
      return values.map((value, n): Try => {
        const names = [...namesOf(route), 'page', 'per_page'];
        const params = Object.fromEntries(names.map((name) => [name, value]));
        return { route, address: addressOf(route), params, as: n % 2 === 0 ? 'json' : 'form' };
      });
    });
    expect(await faultsOf(client, tries)).toEqual([]);
  },
  240_000,
);

test('an odd URL gets a valid response', async () => {
  const texts = [...oddValues, ...wrongValues].filter(
    (value) => typeof value === 'string' && value !== '',
  );
  const segments = texts.map((text) => stringify({ '': text }).slice(1).slice(0, 2000));
  // the routes of one path take turns
  const places = Object.values(Object.groupBy(testedRoutes, ({ path }) => path)).filter((all) =>
    all?.[0]?.path.includes(':'),
  );
  const tries = places.flatMap((all = []) =>
    segments.map((segment, n): Try => {
      const route = all[n % all.length] as Route;
      return { route, address: addressOf(route, segment), params: {} };
    }),
  );
  expect(await faultsOf(as(root), tries)).toEqual([]);
}, 240_000);

test('valid parameters alone are accepted', async () => {
  // requests of the tests above archive the project, and whether they did so last is a race
  await as(root).post(`/projects/${project}/unarchive`);
  // nor may the administrator have approved the merge request last
  await as(root).post(`/projects/${project}/merge_requests/1/unapprove`);
  // the tag must have no release yet
  await as(ada).delete(`/projects/${project}/repository/tags/v1`);
  await makeTag();
  // excluded: routes that need a file or more than valid parameters, that succeed only once, or that
  // affect the other routes
  const excluded = [
    ...['/groups/:id/projects/:project_id', '/projects/:id/archive', '/projects/:id/housekeeping'],
    '/projects/:id/fork/:forked_from_id',
    // requires a token in a header
    '/jobs/:id/artifacts/authorize',
    // require a job in another state, or with a trace
    ...['retry', 'play', 'erase', 'artifacts/keep'].map(
      (action) => `/projects/:id/jobs/:job_id/${action}`,
    ),
    // no merge request waits for a pipeline
    '/projects/:id/merge_requests/:merge_request_iid/cancel_merge_when_pipeline_succeeds',
    // the other routes run meanwhile, that which approves it among them
    '/projects/:id/merge_requests/:merge_request_iid/unapprove',
    // administrators have access already
    ...['/groups/:id/access_requests', '/projects/:id/access_requests'],
  ];
  const isIncluded = ({ method, path }: Route) =>
    method === 'post' && !excluded.includes(path) && !/\/(?:cherry_pick|revert)$/.test(path);
  const writing = testedRoutes.filter((route) => isIncluded(route) && !('file' in fieldsOf(route)));
  const statuses = await Promise.all(
    writing.map(async (route) => {
      const params = validParams(route);
      const { status } = await send(as(root), { route, address: addressOf(route), params });
      return [route.path, status] as const;
    }),
  );
  expect(statuses.filter(([, status]) => ![200, 201, 204, 304].includes(status))).toEqual([]);
}, 240_000);

test('a single odd parameter among valid parameters gets a valid response', async () => {
  const seen = new Set<z.ZodType>();
  // PUT and POST share parameters, and PUT is cheaper
  const ordered = testedRoutes.toSorted(
    (a, b) => Number(b.method === 'put') - Number(a.method === 'put'),
  );
  const tries = ordered.flatMap((route) =>
    namesOf(route).flatMap((name) => {
      const kind = fieldsOf(route)[name] as z.ZodType;
      if (isFlag(kind) || (route.method !== 'get' && seen.has(kind))) return [];
      // lists share parameters: the values take turns
      const share = seen.has(kind) ? 3 : 1;
      const turn = testedRoutes.indexOf(route);
      seen.add(kind);
      const values = oddValues.filter((_, n) => (n + turn) % share === 0);
      return values.map((value): Try => {
        const valid = route.method === 'post' ? validParams(route) : {};
        return { route, address: addressOf(route), params: { ...valid, [name]: value } };
      });
    }),
  );
  expect(await faultsOf(as(root), tries)).toEqual([]);
}, 240_000);
