import { getIntrospectionQuery } from 'graphql';
import { type HostileCase, statusOf } from './case.ts';
import type { HostileTarget } from './target.ts';

const times = (count: number, text: (at: number) => string) =>
  Array.from({ length: count }, (_text, at) => text(at)).join(' ');

const introspection = getIntrospectionQuery();
/** The fragments of an explorer's introspection query, and its root selection. */
const fragments = introspection.slice(introspection.indexOf('fragment FullType'));
const schemaSelection = introspection.slice(
  introspection.indexOf('{', introspection.indexOf('__schema')),
  introspection.lastIndexOf('}', introspection.indexOf('fragment FullType')),
);

const anonymously =
  (query: string, variables?: unknown) =>
  ({ graphql }: HostileTarget) =>
    statusOf(graphql(query, { variables, isAnonymous: true }));

const inRepository =
  (selection: string) =>
  ({ graphql, project }: HostileTarget) =>
    statusOf(graphql(`{ project(id: "${project.fullPath}") { repository { ${selection} } } }`));

const body = (target: HostileTarget, text: string) =>
  statusOf(
    fetch(`${target.url}/graphql`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: text,
    }),
  );

/** The library responds to syntax and validation errors with 200 unless the newer media type is accepted. */
const invalid = [200, 400];

/** Documents, their variables and the request forms. */
export const graphqlCases: readonly HostileCase[] = [
  {
    title: '40 aliased introspections',
    expected: [400],
    send: anonymously(
      `{ ${times(40, (at) => `a${at}: __schema ${schemaSelection}`)} } ${fragments}`,
    ),
  },
  {
    title: 'all types of the schema under 40 aliases',
    expected: [400],
    send: anonymously(
      `{ __schema { ${times(40, (at) => `a${at}: types { ...FullType }`)} } } ${fragments}`,
    ),
  },
  {
    title: 'the largest type under 150 aliases',
    expected: [400],
    send: anonymously(
      `{ ${times(150, (at) => `a${at}: __type(name: "Mutation") { ...F }`)} }
       fragment F on __Type { fields { name args { name type { name ofType { name } } } } }`,
    ),
  },
  {
    title: '50 CI files of 200 KB in one document',
    expected: [400],
    send: anonymously(
      `query ($file: String!) { ${times(50, (at) => `a${at}: ciLint(content: $file) { isValid }`)} }`,
      { file: `a:\n  script: [${'x,'.repeat(100_000)}x]` },
    ),
  },
  {
    title: '100 new users in one document',
    expected: [400],
    send: anonymously(
      `mutation { ${times(100, (at) => `a${at}: createUser(input: { username: "u${at}", email: "u${at}@example.com", name: "U", password: "long-enough-${at}" }) { user { id } }`)} }`,
    ),
  },
  {
    title: '60 changes of a password in one document',
    expected: [400],
    send: anonymously(
      `mutation { ${times(60, (at) => `a${at}: changePassword(input: { currentPassword: "${at}", newPassword: "long-enough-${at}" }) { user { id } }`)} }`,
    ),
  },
  {
    title: 'lists nested in lists',
    expected: [400],
    send: anonymously(
      '{ groups(perPage: 100) { nodes { projects(perPage: 100) { nodes { id name path } } } } }',
    ),
  },
  {
    title: '20 pages of a hundred issues with descriptions',
    expected: [400],
    send: anonymously(
      `{ ${times(20, (at) => `a${at}: issues(perPage: 100) { nodes { description } }`)} }`,
    ),
  },
  {
    title: '50 comparisons',
    expected: [400],
    send: inRepository(
      times(50, (at) => `a${at}: compare(from: "master", to: "master") { isSame }`),
    ),
  },
  {
    title: 'the contributors of a history 100 times',
    expected: [400],
    send: inRepository(times(100, (at) => `a${at}: contributors { total }`)),
  },
  {
    title: '100 recursive trees',
    expected: [400],
    send: inRepository(
      times(100, (at) => `a${at}: tree(isRecursive: true, perPage: 100) { total }`),
    ),
  },
  {
    title: 'a hundred searches for the last commit of a file',
    expected: [400],
    send: inRepository(
      times(39, (at) => `a${at}: file(ref: "master", path: "README.md") { lastCommit { sha } }`),
    ),
  },
  {
    title: 'fragments that double at each of 20 levels',
    expected: [400],
    send: ({ graphql }) =>
      statusOf(
        graphql(
          `{ currentUser { ...F0 } } fragment F20 on User { id }
           ${times(20, (at) => `fragment F${at} on User { a${at}: id ...F${at + 1} ...F${at + 1} }`)}`,
        ),
      ),
  },
  {
    title: 'fragments of introspection that quadruple at each of 10 levels',
    expected: [400],
    send: anonymously(
      `{ __schema { types { ...F0 } } } fragment F10 on __Type { name }
       ${times(10, (at) => `fragment F${at} on __Type { ${times(4, (n) => `a${n}: ofType { ...F${at + 1} }`)} }`)}`,
    ),
  },
  {
    title: '150 fragments that spread each other in cycles',
    expected: invalid,
    send: anonymously(
      `{ currentUser { ...F0 } } ${times(150, (at) => `fragment F${at} on User { ...F${(at + 1) % 150} ...F${(at + 7) % 150} }`)}`,
    ),
  },
  {
    title: '1,900 repetitions of a field',
    expected: [400],
    send: anonymously(`{ ${'version '.repeat(1_900)} }`),
  },
  {
    title: '600 fields with conflicting aliases',
    expected: [400],
    send: anonymously(`{ ${times(600, (at) => `a: ${at % 2 ? 'version' : '__typename'}`)} }`),
  },
  {
    title: '220 inline fragments with conflicting aliases',
    expected: invalid,
    send: anonymously(
      `{ ${times(220, (at) => `... on Query { a: ${at % 2 ? 'version' : '__typename'} }`)} }`,
    ),
  },
  {
    title: '1,900 unknown fields that resemble others',
    expected: invalid,
    send: anonymously(`{ ${times(1_900, (at) => `projectMergeRequest${at}`)} }`),
  },
  {
    title: 'unknown fields with names of 2,400 characters',
    expected: invalid,
    send: anonymously(`{ ${times(100, (at) => `${'projectMergeRequests'.repeat(120)}${at}`)} }`),
  },
  {
    title: 'a name of 250,000 characters',
    expected: invalid,
    send: anonymously(`{ ${'a'.repeat(250_000)} }`),
  },
  {
    title: '900 directives on a field',
    expected: [400],
    send: anonymously(`{ version ${'@x '.repeat(900)} }`),
  },
  {
    title: '400 operations in a document',
    expected: [400],
    send: anonymously(times(400, (at) => `query Q${at} { version }`)),
  },
  {
    title: '@defer in a list',
    expected: invalid,
    send: anonymously('{ projects { nodes { ... @defer { id } } } }'),
  },
  {
    title: '80,000 nested selections',
    expected: invalid,
    send: anonymously('{a'.repeat(80_000)),
  },
  {
    title: '120,000 nested brackets',
    expected: invalid,
    send: anonymously(`{ project(id: ${'['.repeat(120_000)}) }`),
  },
  {
    title: '900 nested lists as an argument',
    expected: invalid,
    send: anonymously(
      `{ project(id: "1") { milestones(filter: { iids: ${'['.repeat(900)}1${']'.repeat(900)} }) { total } } }`,
    ),
  },
  {
    title: '900 nested objects as an argument',
    expected: invalid,
    send: anonymously(`{ issues(filter: ${'{ a: '.repeat(600)}1${' }'.repeat(600)}) { total } }`),
  },
  {
    title: '128,000 lines of comments',
    expected: [200],
    send: anonymously(`${'#\n'.repeat(128_000)}{version}`),
  },
  {
    title: 'a block string of 60,000 escaped quotes',
    expected: invalid,
    send: anonymously(`{ project(id: """${'\\"""'.repeat(60_000)}""") { id } }`),
  },
  {
    title: 'a document of a megabyte',
    expected: [400],
    send: anonymously(`{ version }${' '.repeat(2 ** 20)}`),
  },
  {
    title: '4,900 wrong items in a list among the variables',
    expected: [400],
    send: ({ graphql, project }) =>
      statusOf(
        graphql(
          'mutation ($p: ID!, $a: [CommitActionInput!]!) { createCommit(input: { projectId: $p, branch: "x", message: "x", actions: $a }) { commit { sha } } }',
          { variables: { p: project.fullPath, a: Array(4_900).fill({ action: 1 }) } },
        ),
      ),
  },
  {
    title: '9,000 variables that no operation declares',
    expected: [200],
    send: anonymously(
      '{ version }',
      Object.fromEntries(Array.from({ length: 9_000 }, (_value, at) => [`v${at}`, at])),
    ),
  },
  {
    title: '30,000 nested variables',
    expected: [400],
    send: (target) =>
      body(
        target,
        `{"query":"{version}","variables":${'{"a":'.repeat(30_000)}1${'}'.repeat(30_001)}`,
      ),
  },
  {
    title: 'a batch of 50 documents',
    expected: [400],
    send: (target) => body(target, JSON.stringify(Array(50).fill({ query: '{version}' }))),
  },
  {
    title: 'an unknown persisted query',
    expected: invalid,
    send: (target) =>
      body(
        target,
        JSON.stringify({
          extensions: { persistedQuery: { version: 1, sha256Hash: 'a'.repeat(64) } },
        }),
      ),
  },
  {
    title: '7,000 nested variables in an address',
    expected: invalid,
    send: ({ url }) =>
      statusOf(
        fetch(
          `${url}/graphql?query={version}&variables={"a":${'['.repeat(7_000)}${']'.repeat(7_000)}}`,
        ),
      ),
  },
  {
    title: 'an operation in an address of 15,000 characters',
    expected: invalid,
    send: ({ url }) =>
      statusOf(
        fetch(`${url}/graphql?query=${encodeURIComponent(`{ ${'version '.repeat(1_500)} }`)}`),
      ),
  },
  {
    title: '300 different documents of 2,000 tokens',
    expected: [400],
    send: async ({ graphql }) => {
      const statuses: number[] = [];
      for (let at = 0; at < 300; at += 1) {
        const document = `{ ${times(480, (n) => `f${at}n${n} { x }`)} }`;
        statuses.push(await statusOf(graphql(document, { isAnonymous: true })));
      }
      return Math.max(...statuses) === 200 ? 400 : Math.max(...statuses);
    },
  },
];
