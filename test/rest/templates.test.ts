import { describe, expect, test } from 'vitest';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root } = await world();
const ada = await seed.user('ada');
const year = new Date().getUTCFullYear();

interface License {
  readonly key: string;
  readonly content: string;
}

interface Named {
  readonly name: string;
}

const read = async <Body>(path: string, person: typeof ada | null = null) => {
  const { status, body } = await as(person).get(path);
  expect(status).toBe(200);
  return body as Body;
};

describe('GET /templates/licenses', () => {
  test('lists the licences by key, with placeholders in their texts', async () => {
    const licenses = await read<readonly License[]>('/templates/licenses');
    expect(licenses.map(({ key }) => key)).toEqual([
      ...[
        'agpl-3.0',
        'apache-2.0',
        'bsd-2-clause',
        'bsd-3-clause',
        'bsl-1.0',
        'cc0-1.0',
        'epl-2.0',
      ],
      ...['gpl-2.0', 'gpl-3.0', 'lgpl-2.1', 'lgpl-3.0', 'mit', 'mpl-2.0', 'unlicense'],
    ]);
    expect(licenses.find(({ key }) => key === 'mit')).toEqual({
      key: 'mit',
      name: 'MIT License',
      nickname: null,
      popular: true,
      featured: true,
      html_url: 'https://choosealicense.com/licenses/mit/',
      source_url: 'https://opensource.org/license/mit',
      description: 'Permits all uses that keep the copyright notice and the licence.',
      permissions: ['commercial-use', 'modifications', 'distribution', 'private-use'],
      conditions: ['include-copyright'],
      limitations: ['liability', 'warranty'],
      content: expect.stringMatching(/^MIT License\n\nCopyright \(c\) \[year\] \[fullname\]\n/),
    });
    expect(await read('/templates/licenses', ada)).toEqual(licenses);
  });

  test('popular lists the popular ones only', async () => {
    const keys = async (query: string) =>
      (await read<readonly License[]>(`/templates/licenses?${query}`)).map(({ key }) => key);
    expect(await keys('popular=1')).toEqual(['apache-2.0', 'gpl-3.0', 'mit']);
    expect(await keys('popular=false')).toHaveLength(14);
    expect(await as(null).get('/templates/licenses?popular=perhaps')).toEqual(
      refused.parameter('popular is invalid'),
    );
  });

  test('has pages', async () => {
    const response = await as(null).fetch('/templates/licenses?per_page=5&page=3');
    expect(response.headers.get('X-Total')).toBe('14');
    const body = (await response.json()) as readonly License[];
    expect(body.map(({ key }) => key)).toEqual(['lgpl-3.0', 'mit', 'mpl-2.0', 'unlicense']);
  });
});

describe('GET /templates/licenses/:key', () => {
  const show = (key: string, query = '', person: typeof ada | null = null) =>
    read<License>(`/templates/licenses/${key}?${query}`, person);

  test('fills in the year, and the names that are given', async () => {
    const { content } = await show('mit', 'project=Tool&fullname=Ada%20Lovelace');
    expect(content).toContain(`Copyright (c) ${year} Ada Lovelace\n`);
    const gpl = await show('gpl-3.0', 'project=Tool&fullname=Ada');
    expect(gpl.content).toContain(`Tool  Copyright (C) ${year}  Ada\n`);
    const apache = await show('APACHE-2.0', 'fullname=Ada');
    expect(apache.content).toContain(`Copyright ${year} Ada\n`);
  });

  test('names the caller by default; for anonymous users the placeholder stays', async () => {
    const { body } = await as(ada).get('/user');
    const { name } = body as Named;
    expect((await show('mit', '', ada)).content).toContain(`(c) ${year} ${name}\n`);
    expect((await show('mit')).content).toContain(`(c) ${year} [fullname]\n`);
    expect((await show('gpl-2.0')).content).toContain('<one line to give the program');
  });

  test('inserts names as they are', async () => {
    const fullname = "$& [year] <year> $'";
    const { content } = await show('mit', `fullname=${encodeURIComponent(fullname)}`);
    expect(content).toContain(`(c) ${year} ${fullname}\n`);
  });

  test('rejects a missing licence and a long name', async () => {
    expect(await as(root).get('/templates/licenses/gpl-9.0')).toEqual(refused.missing('License'));
    expect(await as(null).get('/templates/licenses/__proto__')).toEqual(refused.missing('License'));
    expect(await as(null).get(`/templates/licenses/mit?project=${'x'.repeat(256)}`)).toEqual(
      refused.parameter('project is invalid'),
    );
  });
});

describe.each([
  ['gitignores', 'gitignore', 'Node', /^node_modules\//m, 2],
  ['gitlab_ci_ymls', 'gitlab_ci_yml', 'Nodejs', /^ {4}- npm test$/m, 1],
  ['dockerfiles', 'dockerfile', 'Node', /^FROM node/, 1],
])('GET /templates/%s', (kind, what, key, content, page) => {
  test('lists the names of the templates', async () => {
    const names = await read<readonly Named[]>(`/templates/${kind}?per_page=100&page=${page}`);
    const lowerCase = names.map(({ name }) => name.toLowerCase());
    expect(lowerCase).toEqual(lowerCase.toSorted());
    expect(names).toContainEqual({ key, name: key });
    expect(await read(`/templates/${kind}?per_page=100&page=${page}`, ada)).toEqual(names);
  });

  test('/:key shows one', async () => {
    const template = { name: key, content: expect.stringMatching(content) };
    for (const person of [null, ada, root]) {
      expect(await as(person).get(`/templates/${kind}/${key}`)).toEqual({
        status: 200,
        body: template,
      });
    }
    for (const missing of ['none', 'constructor', '..%2Flicenses%2Fmit']) {
      expect(await as(null).get(`/templates/${kind}/${missing}`)).toEqual(refused.missing(what));
    }
  });
});

test('the CI files are valid', async () => {
  const files = await read<readonly Named[]>('/templates/gitlab_ci_ymls');
  for (const { name } of files) {
    const { content } = await read<License>(`/templates/gitlab_ci_ymls/${name}`);
    expect(await as(null).post('/ci/lint', { content }), name).toEqual({
      status: 200,
      body: { status: 'valid', errors: [] },
    });
  }
});
