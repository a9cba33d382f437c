import { expect, test } from 'vitest';
import { readCiFile } from '../../schema/ci-config/read.ts';
import { parseExpiry } from '../../schema/kernel/expiry.ts';
import { expandingCiFiles } from '../support/hostile/ci-texts.ts';

const plain = {
  stage: 'test',
  afterScript: null,
  image: null,
  services: [],
  tags: [],
  when: 'on_success',
  isAllowedToFail: false,
  variables: {},
  only: null,
  except: [],
  dependencies: null,
  artifacts: null,
  cache: null,
  environment: null,
  coverage: null,
  retries: 0,
};

test('a job requires only a script', () => {
  expect(readCiFile('rspec: { script: rake spec }')).toEqual({
    file: {
      stages: ['build', 'test', 'deploy'],
      jobs: [{ ...plain, name: 'rspec', script: ['rake spec'] }],
    },
  });
});

test('a job inherits omitted keys from the file', () => {
  const read = readCiFile(`
stages: [make, ship]
image: node:8
services: [postgres:9.6, { name: redis, alias: cache, command: [redis-server] }]
before_script: [npm ci]
after_script: [date]
variables: { LEVEL: 1, MODE: fast }
cache: { key: modules, paths: [node_modules/], untracked: true, policy: pull }
.hidden: &common
  tags: [linux]
  variables: { MODE: slow }
compile:
  <<: *common
  stage: make
  script: [make, make check]
  artifacts: { name: out, paths: [dist/], expire_in: 1 week, when: always }
  coverage: '/(\\d+)%/'
  retry: 2
ship:
  stage: ship
  image: { name: alpine, entrypoint: [sh] }
  before_script: []
  script: ./ship
  when: manual
  only: { refs: [master, /^v\\d/] }
  except: [tags]
  dependencies: [compile]
  environment: { name: live, url: https://live.example, on_stop: unship }
unship:
  stage: ship
  script: ./unship
  allow_failure: false
  environment: { name: live, action: stop }
`);
  const shared = {
    ...plain,
    afterScript: ['date'],
    services: [
      { name: 'postgres:9.6', entrypoint: null, command: null, alias: null },
      { name: 'redis', entrypoint: null, command: ['redis-server'], alias: 'cache' },
    ],
    cache: { key: 'modules', isUntracked: true, paths: ['node_modules/'], policy: 'pull' },
    image: { name: 'node:8', entrypoint: null },
    variables: { LEVEL: '1', MODE: 'fast' },
  };
  expect(read).toEqual({
    file: {
      stages: ['make', 'ship'],
      jobs: [
        {
          ...shared,
          name: 'compile',
          stage: 'make',
          script: ['npm ci', 'make', 'make check'],
          tags: ['linux'],
          variables: { LEVEL: '1', MODE: 'slow' },
          artifacts: {
            name: 'out',
            isUntracked: false,
            paths: ['dist/'],
            when: 'always',
            expireIn: '1 week',
          },
          coverage: '(\\d+)%',
          retries: 2,
        },
        {
          ...shared,
          name: 'ship',
          stage: 'ship',
          image: { name: 'alpine', entrypoint: ['sh'] },
          script: ['./ship'],
          when: 'manual',
          isAllowedToFail: true,
          only: ['master', '/^v\\d/'],
          except: ['tags'],
          dependencies: ['compile'],
          environment: {
            name: 'live',
            url: 'https://live.example',
            action: 'start',
            onStop: 'unship',
          },
        },
        {
          ...shared,
          name: 'unship',
          stage: 'ship',
          script: ['npm ci', './unship'],
          environment: { name: 'live', url: null, action: 'stop', onStop: null },
        },
      ],
    },
  });
});

test.each([
  ['', 'Invalid configuration format'],
  ['[a]', 'Invalid configuration format'],
  ['stages: [a]', 'jobs config should contain at least one visible job'],
  ['.a: { script: x }', 'jobs config should contain at least one visible job'],
  ['extra: x', 'jobs:extra config should be a hash'],
  ['rspec: { script: x, foo: 1, bar: 2 }', 'jobs:rspec config contains unknown keys: foo, bar'],
  ['rspec: { stage: test }', "jobs:rspec script can't be blank"],
  ['RSpec: { script: [1] }', 'jobs:rspec:script config should be an array of strings or a string'],
  [
    'rspec: { script: x, when: soon }',
    'jobs:rspec when should be on_success, on_failure, always or manual',
  ],
  ['rspec: { script: x, tags: mysql }', 'jobs:rspec tags should be an array of strings'],
  [
    'rspec: { script: x, allow_failure: "yes" }',
    'jobs:rspec allow failure should be a boolean value',
  ],
  ['rspec: { script: x, retry: 3 }', 'jobs:rspec retry must be less than or equal to 2'],
  ['rspec: { script: x, retry: -1 }', 'jobs:rspec retry must be greater than or equal to 0'],
  ['rspec: { script: x, retry: 1.5 }', 'jobs:rspec retry must be an integer'],
  ['rspec: { script: x, retry: often }', 'jobs:rspec retry is not a number'],
  ['rspec: { script: x, stage: 1 }', 'jobs:rspec:stage config should be a string'],
  ['rspec: { script: x, stage: ship }', 'rspec job: stage parameter should be build, test, deploy'],
  ['before_script: ls\na: { script: x }', 'before_script config should be an array of strings'],
  ['stages: test\na: { script: x }', 'stages config should be an array of strings'],
  ['variables: [A]\na: { script: x }', 'variables config should be a hash of key value pairs'],
  ['image: 3\na: { script: x }', 'image config should be a hash or a string'],
  ['image: { name: "" }\na: { script: x }', "image name can't be blank"],
  ['services: pg\na: { script: x }', 'services config should be a array'],
  ['services: [3]\na: { script: x }', 'service config should be a hash or a string'],
  ['cache: { key: a/b }\na: { script: x }', 'cache:key config cannot contain the "/" character'],
  ['cache: { key: .. }\na: { script: x }', 'cache:key config cannot be "." or ".."'],
  ['cache: { policy: both }\na: { script: x }', 'cache policy should be pull-push, push, or pull'],
  ['a: { script: x, only: 1 }', 'jobs:a:only has to be either an array of conditions or a hash'],
  [
    'a: { script: x, except: ["/(/"] }',
    'jobs:a:except config should be an array of strings or regexps',
  ],
  ['a: { script: x, coverage: 80 }', 'jobs:a:coverage config must be a regular expression'],
  [
    'a: { script: x, artifacts: { expire_in: soon } }',
    'jobs:a:artifacts expire in should be a duration',
  ],
  ['a: { script: x, dependencies: [b] }', 'a job: undefined dependency: b'],
  [
    'a: { script: x, dependencies: [b] }\nb: { script: x }',
    'a job: dependency b is not defined in prior stages',
  ],
  ['a: { script: x, environment: { name: e, on_stop: b } }', 'a job: on_stop job b is not defined'],
  [
    'a: !ruby/object:Kernel { script: x }',
    'Unresolved tag: !ruby/object:Kernel at line 1, column 4',
  ],
  ['a: { script: x }\nb: { script: y }\na: { script: z }', 'The name a is given twice'],
  ['a: b: c', 'Nested mappings are not allowed in compact mappings at line 1, column 4'],
])('rejects %j: %s', (text, problem) => {
  expect(readCiFile(text)).toEqual({ problem });
});

const bomb = Array.from({ length: 12 }, (_, n) => {
  const parts = Array(9).fill(n === 0 ? 'x' : `*a${n - 1}`);
  return `a${n}: &a${n} [${parts.join(',')}]`;
}).join('\n');

test.each([
  ['aliases of aliases', bomb, 'Excessive alias count indicates a resource exhaustion attack'],
  [
    'merge keys that repeat much',
    expandingCiFiles['750 merges of 4,000 keys'] ?? '',
    'The file is too long with its merge keys resolved (maximum is 1048576 characters)',
  ],
  [
    'merge keys of merge keys',
    expandingCiFiles['a chain of 1,300 merges'] ?? '',
    'Excessive alias count indicates a resource exhaustion attack',
  ],
  [
    'aliases that repeat much',
    `x: &x [${'a,'.repeat(30_000)}]\ny: [${'*x,'.repeat(990)}]`,
    'The file is too long with its aliases resolved (maximum is 8388608 characters)',
  ],
  [
    'a long script that many jobs inherit',
    expandingCiFiles['a long script before 2,500 jobs'] ?? '',
    'The jobs are too large together',
  ],
  ['a merge of itself', 'a: &a { <<: *a, script: x }', 'The document is nested too deep'],
  ['an alias of itself', 'a: &a [*a]\nb: { script: x }', 'The document is nested too deep'],
  ['two hundred keys in each other', '? '.repeat(200), 'The document is nested too deep'],
  ['fifty thousand brackets', `a: ${'['.repeat(50_000)}`, 'The document is nested too deep'],
  [
    'ten megabytes',
    `a: ${'x'.repeat(10_000_000)}`,
    'The file is too long (maximum is 262144 characters)',
  ],
])('rejects %s quickly', (_name, text, problem) => {
  expect(readCiFile(text)).toEqual({ problem });
});

test('resolves merge keys and aliases as YAML does', () => {
  const read = readCiFile(`
.one: &one { script: [one], tags: &tags [a, b], variables: { A: one } }
.two: &two { <<: *one, script: [two], when: manual }
.all: &all [*two, *one]
.again: &one { script: [again] }
by name: { <<: *two, tags: [c] }
by list: { <<: *all, variables: { A: own } }
before: { script: [own], <<: [{ script: [merged], when: always }, *two] }
last: *one
shared: { script: x, tags: *tags }
`);
  expect('file' in read && read.file.jobs).toMatchObject([
    { name: 'by name', script: ['two'], tags: ['c'], when: 'manual', variables: { A: 'one' } },
    { name: 'by list', script: ['two'], tags: ['a', 'b'], variables: { A: 'own' } },
    { name: 'before', script: ['own'], tags: ['a', 'b'], when: 'always' },
    { name: 'last', script: ['again'] },
    { name: 'shared', script: ['x'], tags: ['a', 'b'] },
  ]);
});

test('accepts job names that are names of object properties', () => {
  expect(readCiFile('__proto__: { script: x }\nconstructor: { script: y }')).toMatchObject({
    file: { jobs: [{ name: '__proto__' }, { name: 'constructor' }] },
  });
});

test.each([
  ['1 week', 604_800],
  ['2 hrs 20 min', 8400],
  ['3 mos and 4 d', 90 * 86_400 + 4 * 86_400],
  ['47 yrs', 47 * 365.25 * 86_400],
  ['90', 90],
  ['soon', null],
  ['1 fortnight', null],
  ['', null],
])('%j expires in %s seconds', (text, seconds) => {
  expect(parseExpiry(text)).toBe(seconds);
});

test('a key that is a collection writes nothing of the file to the log', async () => {
  const warnings: Error[] = [];
  const note = (warning: Error) => warnings.push(warning);
  process.on('warning', note);
  readCiFile('? [secret]\n: { script: make }\n');
  // warnings are emitted in the next tick
  await new Promise((resolve) => setImmediate(resolve));
  process.off('warning', note);
  expect(warnings).toEqual([]);
});
