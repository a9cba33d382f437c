import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

/** The domains of the core, lowest first: each may import those before it. */
const domains = [
  'markdown',
  'administration',
  'namespaces',
  'users',
  'tokens',
  'two-factors',
  'settings',
  'hook-payloads',
  'activity',
  'members',
  'groups',
  'projects',
  'notification-settings',
  'todos',
  'sessions',
  'oauth',
  'repository',
  'lfs',
  'commits',
  'diff-positions',
  'tags',
  'branches',
  'files',
  'transfers',
  'forks',
  'imports',
  'custom-attributes',
  'keys',
  'hooks',
  'access-requests',
  'variables',
  'ci-config',
  'templates',
  'runners',
  'pipelines',
  'jobs',
  'environments',
  'runner-jobs',
  'triggers',
  'pipeline-schedules',
  'labels',
  'milestones',
  'releases',
  'system-notes',
  'issuables',
  'issues',
  'merge-requests',
  'merge-request-versions',
  'hook-tests',
  'merging',
  'pushes',
  'snippets',
  'boards',
  'wikis',
  'noteables',
  'award-emoji',
  'notes',
  'todo-lists',
  'discussions',
  'events',
  'dead-letters',
  'audit',
  'search',
] as const;

/** The folders that each folder may import, except itself. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  prisma: [],
  'schema/ports/git': [],
  'schema/ports': ['schema/ports/git'],
  'schema/kernel': ['schema/ports', 'schema/ports/git', 'prisma'],
  'schema/listing': ['schema/kernel', 'prisma'],
  'schema/client': ['schema/kernel'],
  'schema/public': ['schema/kernel'],
  'rest-facade/kernel': ['schema/client'],
  'rest-facade/entities': ['rest-facade/kernel', 'schema/client'],
  'rest-facade/oauth': ['rest-facade/kernel', 'schema/client'],
  'rest-facade/openapi': ['rest-facade/kernel', 'schema/client'],
  'rest-facade': ['rest-facade/kernel', 'rest-facade/entities', 'schema/client'],
  'soap-facade/kernel': ['schema/client'],
  'soap-facade/resources': ['soap-facade/kernel'],
  'soap-facade': ['soap-facade/kernel', 'soap-facade/resources', 'schema/client'],
  ...Object.fromEntries(
    domains.map((domain, place) => [
      `schema/${domain}`,
      [
        'schema/kernel',
        'schema/listing',
        'schema/ports',
        'schema/ports/git',
        'prisma',
        ...domains.slice(0, place).map((d) => `schema/${d}`),
      ],
    ]),
  ),
};

const tops = ['schema', 'rest-facade', 'soap-facade', 'server', 'prisma'] as const;

const sources = tops.flatMap((top) =>
  readdirSync(top, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
    .map((name) => join(top, name)),
);

/** `prisma/generated/…` counts as `prisma`, `schema/groups/x.ts` as `schema/groups`. */
const folderOf = (file: string) => (file.startsWith('prisma') ? 'prisma' : dirname(file));

const importsIn = (file: string) =>
  [...readFileSync(file, 'utf8').matchAll(/(?:from|import|import\() ?'(\.[^']+)'/g)].map(
    ([, target = '']) => join(dirname(file), target),
  );

/** Import arrows between nodes; arrows of a node to itself are left out. */
function arrowsBetween(nodeOf: (file: string) => string): Map<string, Set<string>> {
  const arrows = new Map<string, Set<string>>();
  for (const file of sources) {
    const from = nodeOf(file);
    for (const to of importsIn(file).map(nodeOf)) {
      if (to !== from) arrows.set(from, (arrows.get(from) ?? new Set()).add(to));
    }
  }
  return arrows;
}

/** The arrows that are on a cycle or lead to one. */
function cyclicArrows(arrows: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const remaining = new Map(arrows);
  for (let free = [''] as string[]; free.length > 0; ) {
    free = [...remaining]
      .filter(([, tos]) => ![...tos].some((to) => remaining.has(to)))
      .map(([from]) => from);
    for (const node of free) remaining.delete(node);
  }
  return [...remaining].map(
    ([from, tos]) => `${from} -> ${[...tos].filter((to) => remaining.has(to))}`,
  );
}

const arrows = arrowsBetween(folderOf);

test('the sources are found', () => {
  expect(sources.length).toBeGreaterThan(80);
  expect(arrows.get('rest-facade')).toContain('rest-facade/kernel');
});

test.each(Object.entries(mayImport))('%s imports only lower folders', (from, allowed) => {
  expect([...(arrows.get(from) ?? [])].filter((to) => !allowed.includes(to))).toEqual([]);
});

test('every domain has a position in the order', () => {
  const ordered = [...domains, 'kernel', 'listing', 'ports', 'client', 'public'];
  const folders = readdirSync('schema', { withFileTypes: true }).filter((e) => e.isDirectory());
  expect(folders.map(({ name }) => name).filter((name) => !ordered.includes(name))).toEqual([]);
});

test('nothing below the server imports it', () => {
  const upward = [...arrows].flatMap(([from, tos]) =>
    from.startsWith('server') ? [] : [...tos].filter((to) => to.startsWith('server')),
  );
  expect(upward).toEqual([]);
});

test('the runner is separate: it imports no other folder, and no other folder imports it', () => {
  expect([...(arrows.get('server/runner') ?? [])]).toEqual([]);
  const into = [...arrows].flatMap(([from, tos]) => (tos.has('server/runner') ? [from] : []));
  expect(into).toEqual([]);
});

test('git storage and jobs import neither HTTP nor pages', () => {
  const wrong = [...arrows].flatMap(([from, tos]) =>
    /^server\/(git|jobs)(\/|$)/.test(from)
      ? [...tos].filter((to) => /^server\/(http|pages)/.test(to))
      : [],
  );
  expect(wrong).toEqual([]);
});

/** The packages that are loaded with `files`, by them or by what they import; not those that are loaded later. */
function packagesOf(files: readonly string[]): readonly string[] {
  const reached = new Set<string>();
  const packages = new Set<string>();
  const visit = (file: string) => {
    if (reached.has(file)) return;
    reached.add(file);
    for (const name of loadedBy(file)) {
      if (name.startsWith('.')) visit(join(dirname(file), name));
      else packages.add(name);
    }
  };
  for (const file of files) visit(file);
  return [...packages].sort();
}

const loadedBy = (file: string) =>
  [...readFileSync(file, 'utf8').matchAll(/^(?:im|ex)port (?!type)[^']*? from '([^']+)'/gm)].map(
    ([, name = '']) => name,
  );

test('worker tasks load only the packages they need', () => {
  const tasks = sources.flatMap((file) => {
    const match =
      /module: (?:import\.meta\.url|new URL\('([^']+)', import\.meta\.url\)\.href),/.exec(
        readFileSync(file, 'utf8'),
      );
    if (!match) return [];
    return [match[1] === undefined ? file : join(dirname(file), match[1])];
  });
  expect(packagesOf(tasks)).toEqual([
    'markdown-it',
    'markdown-it-footnote',
    'node:fs',
    'node:module',
    'node:vm',
    'yaml',
  ]);
});

test('a start loads no package that only some services use', () => {
  const packages = packagesOf(['server/main.ts', 'server/start.ts']);
  expect(packages).toContain('koa');
  expect(
    packages.filter((name) =>
      /^(@aws-sdk|@smithy|@opentelemetry\/(sdk|exporter)|ssh2|piscina)/.test(name),
    ),
  ).toEqual([]);
});

test('files form no cycle, including type imports', () => {
  expect(cyclicArrows(arrowsBetween((file) => file))).toEqual([]);
});

/**
 * A file beside subfolders that it imports, such as `server/git/store.ts`, assembles them: it
 * counts as a node above its folder, whose other files the subfolders may import.
 */
const assembling = new Set(
  sources.filter(
    (file) =>
      folderOf(file) !== 'prisma' &&
      importsIn(file).some((target) => dirname(target).startsWith(`${dirname(file)}/`)),
  ),
);

test('folders form no cycle', () => {
  const nodes = arrowsBetween((file) => (assembling.has(file) ? file : folderOf(file)));
  expect(cyclicArrows(nodes)).toEqual([]);
});

test('no folder holds more than 40 files, except REST resources, tests and migrations', () => {
  const counts = new Map<string, number>();
  for (const file of sources) {
    if (!file.includes('/generated/'))
      counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  }
  const large = [...counts].filter(([folder, count]) => count > 40 && folder !== 'rest-facade');
  expect(large).toEqual([]);
});

/** The source files whose code contains a text, except generated ones. */
const filesWith = (text: string) =>
  sources.filter(
    (file) => !file.includes('/generated/') && readFileSync(file, 'utf8').includes(text),
  );

test('only programs end the process', () => {
  expect(filesWith('process.exit(').sort()).toEqual([
    'server/git/process/spawner-program.ts',
    'server/main.ts',
    'server/runner/main.ts',
    'server/ssh/program.ts',
  ]);
});

test('only programs read environment variables', () => {
  expect(filesWith('process.env').sort()).toEqual([
    // NODE_ENV alone: Pothos is configured while its module loads
    'schema/kernel/builder.ts',
    'server/main.ts',
    'server/millrace.ts',
    'server/runner/main.ts',
  ]);
});

test('no file is longer than 250 lines, a REST resource than 300', () => {
  const long = sources.filter((file) => {
    const most = /^rest-facade\/[^/]+$/.test(file) ? 300 : 250;
    return !file.includes('/generated/') && readFileSync(file, 'utf8').split('\n').length > most;
  });
  expect(long).toEqual([]);
});
