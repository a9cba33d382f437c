import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { png } from '../support/form.ts';
import { visitorAt } from '../support/visitor.ts';
import { world } from '../support/world.ts';

const megabyte = 2 ** 20;
const { seed, url, dataFolder } = await world({ settings: { maxAttachmentSize: 1 } });
const ada = await seed.user('ada');
await seed.project('ada/app');

type Part = readonly [name: string, content: string | Blob];

async function send(parts: readonly Part[], headers: Record<string, string> = {}) {
  const form = new FormData();
  for (const [name, content] of parts) {
    if (typeof content === 'string') form.append(name, content);
    else form.append(name, content, 'dk.png');
  }
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { Accept: 'application/json', 'Private-Token': ada.token, ...headers },
    body: form,
  });
  return { status: response.status, body: await response.json() };
}

const image = new Blob([Uint8Array.from(png())]);
const query = `mutation ($file: Upload!) {
  createUpload(input: { projectId: "ada/app", file: $file }) { upload { __typename } }
}`;
const operations = JSON.stringify({ query, variables: { file: null } });
const map = JSON.stringify({ 0: ['variables.file'] });

const expectNoTemporaryFiles = () =>
  expect
    .poll(() => readdir(join(dataFolder, 'uploads', 'tmp'), { recursive: true }))
    .toEqual([expect.any(String), expect.stringMatching(/maker$/)]);

const unreadable = {
  status: 400,
  body: { errors: [{ message: expect.any(String), extensions: { code: 'BAD_REQUEST' } }] },
};

describe('POST /graphql as a multipart form', () => {
  test('a file is the value of a variable', async () => {
    expect(
      await send([
        ['operations', operations],
        ['map', map],
        ['0', image],
      ]),
    ).toEqual({
      status: 200,
      body: { data: { createUpload: { upload: { __typename: 'Attachment' } } } },
    });
    await expectNoTemporaryFiles();
  });

  test('a file is the value below an input', async () => {
    const request = {
      query: `mutation ($input: CreateGroupInput!) {
        createGroup(input: $input) { group { fullPath avatarUrl } }
      }`,
      variables: { input: { name: 'acme', path: 'acme', avatar: null } },
    };
    const parts: Part[] = [
      ['operations', JSON.stringify(request)],
      ['map', JSON.stringify({ avatar: ['variables.input.avatar'] })],
      ['avatar', image],
    ];
    expect(await send(parts)).toEqual({
      status: 200,
      body: {
        data: {
          createGroup: {
            group: { fullPath: 'acme', avatarUrl: expect.stringContaining('dk.png') },
          },
        },
      },
    });
    await expectNoTemporaryFiles();
  });

  test.each<[string, readonly Part[]]>([
    [
      'no operations',
      [
        ['map', map],
        ['0', image],
      ],
    ],
    [
      'no map',
      [
        ['operations', operations],
        ['0', image],
      ],
    ],
    [
      'a missing file',
      [
        ['operations', operations],
        ['map', map],
      ],
    ],
    [
      'a file that the map does not name',
      [
        ['operations', operations],
        ['map', '{}'],
        ['0', image],
      ],
    ],
    [
      'operations twice',
      [
        ['operations', operations],
        ['operations', operations],
        ['map', map],
        ['0', image],
      ],
    ],
    [
      'a file twice',
      [
        ['operations', operations],
        ['map', map],
        ['0', image],
        ['0', image],
      ],
    ],
    [
      'another field',
      [
        ['operations', operations],
        ['map', map],
        ['x', 'y'],
        ['0', image],
      ],
    ],
    [
      'a list of operations',
      [
        ['operations', `[${operations}]`],
        ['map', map],
        ['0', image],
      ],
    ],
    [
      'a path outside of the variables',
      [
        ['operations', operations],
        ['map', '{"0":["query"]}'],
        ['0', image],
      ],
    ],
    [
      'a path to no null',
      [
        ['operations', operations],
        ['map', '{"0":["variables.other"]}'],
        ['0', image],
      ],
    ],
    [
      'a path of prototypes',
      [
        ['operations', operations],
        ['map', '{"0":["variables.__proto__.x"]}'],
        ['0', image],
      ],
    ],
    [
      'a path of constructors',
      [
        ['operations', operations],
        ['map', '{"0":["variables.constructor.prototype.x"]}'],
        ['0', image],
      ],
    ],
    [
      'thousands of entries in the map',
      [
        ['operations', operations],
        [
          'map',
          JSON.stringify(
            Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [n, ['variables.file']])),
          ),
        ],
        ['0', image],
      ],
    ],
  ])('is refused with %s', async (_case, parts) => {
    expect(await send(parts)).toEqual(unreadable);
    await expectNoTemporaryFiles();
  });

  test('is refused above the limit of an upload', async () => {
    const large = new Blob([new Uint8Array(2 * megabyte)]);
    const { status, body } = await send([
      ['operations', operations],
      ['map', map],
      ['0', large],
    ]);
    expect({ status, body }).toMatchObject({
      status: 413,
      body: { errors: [{ extensions: { code: 'LIMIT_EXCEEDED' } }] },
    });
    await expectNoTemporaryFiles();
  });

  test.each([
    ['', 'Sec-Fetch-Site', 'same-origin', null],
    ['X-Requested-With', 'Sec-Fetch-Site', 'same-origin', { upload: expect.anything() }],
    ['GraphQL-Require-Preflight', 'Sec-Fetch-Site', 'same-origin', { upload: expect.anything() }],
    ['X-Requested-With', 'Sec-Fetch-Site', 'cross-site', null],
  ])(
    'uses a browser session only with a header that forces a preflight: %s, %s: %s',
    async (header, name, site, createUpload) => {
      const visitor = visitorAt(url);
      await visitor.signIn(ada);
      const { body } = await send(
        [
          ['operations', operations],
          ['map', map],
          ['0', image],
        ],
        {
          'Private-Token': '',
          Cookie: `_millrace_session=${visitor.cookie}`,
          [name]: site,
          ...(header && { [header]: '1' }),
        },
      );
      expect(body).toMatchObject({ data: { createUpload } });
    },
  );
});
