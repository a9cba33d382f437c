import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse, validate } from 'graphql';
import { describe, expect, test } from 'vitest';
import { schema as coreSchema } from '../schema/index.ts';
import { publicView } from '../schema/public/view.ts';
import { allDocuments, codeBlocks, userDocuments } from './support/documentation.ts';
import { mountedEndpoints } from './support/mounted.ts';
import { soapDocument, soapDocumentText } from './support/soap-methods.ts';
import { webhookDocument, webhookDocumentText } from './support/webhook-payloads.ts';

const schema = publicView(coreSchema);

const read = (path: string) => readFileSync(path, 'utf8');
const prose = (path: string) => read(path).replace(/^```[\s\S]*?^```$/gm, '');
const matches = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, first = '']) => first);

/** The anchor that GitHub gives a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
const anchorsOf = (path: string) => matches(prose(path), /^#+ (.+)$/gm).map(anchorOf);

const variables = [
  ...new Set(
    matches(
      [
        'server/config.ts',
        'server/config-directory.ts',
        'server/config-objects.ts',
        'server/config-telemetry.ts',
      ]
        .map(read)
        .join('\n'),
      /^ {2}([A-Z_]+): /gm,
    ),
  ),
];

describe.each(allDocuments)('%s', (document) => {
  test('links lead to files and headings of the project', () => {
    const broken = matches(prose(document), /\]\(([^)\s]+)\)/g)
      .filter((link) => !/^[a-z]+:/.test(link))
      .filter((link) => {
        const [file = '', anchor] = link.split('#');
        const path = file === '' ? document : join(dirname(document), file);
        if (!existsSync(path)) return true;
        return anchor !== undefined && !anchorsOf(path).includes(anchor);
      });
    expect(broken).toEqual([]);
  });

  test('paths in it exist', () => {
    const tops = 'docs|prisma|rest-facade|schema|server|soap-facade|test';
    const paths = matches(
      prose(document),
      new RegExp(`\`((?:${tops})/[\\w./-]*\\w(?:\\.\\w+|/)?)\``, 'g'),
    );
    // from the top, or from the document's own folder
    const missing = paths.filter(
      (path) => !existsSync(path) && !existsSync(join(dirname(document), path)),
    );
    expect(missing).toEqual([]);
  });
});

describe.each([...userDocuments, 'CONTRIBUTING.md', 'SECURITY.md'])('%s', (document) => {
  const text = read(document);

  test('variables, npm scripts and endpoints in it exist', () => {
    const tests = ['MILLRACE_TEST_RUNNER_BINARY'];
    const named = matches(text, /\b(MILLRACE_[A-Z_]+)\b/g);
    expect(named.filter((name) => ![...variables, ...tests].includes(name))).toEqual([]);
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    expect(
      matches(text, /npm run ([\w:]+)/g).filter((script) => scripts[script] === undefined),
    ).toEqual([]);
    const endpoints = matches(text, /`((?:GET|POST|PUT|DELETE) \/(?!oauth|-|graphql)[^`? ]*)/g);
    const mounted = mountedEndpoints.map((endpoint) => endpoint.replaceAll(/:\w+/g, ':id'));
    expect(
      endpoints
        .map((endpoint) => endpoint.replaceAll(/:\w+/g, ':id').replace('/api/v4', ''))
        .filter((endpoint) => !mounted.includes(endpoint)),
    ).toEqual([]);
  });

  test('code blocks are well-formed', () => {
    for (const { language, marks, code, line } of codeBlocks(document)) {
      const place = `${document}:${line}`;
      if (language === 'graphql') {
        expect(validate(schema, parse(code)), place).toEqual([]);
      } else if (language === 'sh') {
        const { status, stderr } = spawnSync('bash', ['-n'], { input: code, encoding: 'utf8' });
        // `<this repository>` is a placeholder
        if (!code.includes('<this repository>')) expect(status, `${place}: ${stderr}`).toBe(0);
      } else if (language === 'json' && !marks.includes('output')) {
        expect(() => JSON.parse(code), place).not.toThrow();
      } else if (language === 'nginx' || language === 'caddyfile') {
        expect(code.split('{').length, place).toBe(code.split('}').length);
      }
    }
  });
});

test('the table of variables names all that are read, and no other', () => {
  const rows = matches(read('docs/configuration.md'), /^\| (`[^|]+`) \|/gm);
  const named = rows.flatMap((row) => matches(row, /`([A-Z_]+)`/g));
  expect(named.toSorted()).toEqual(variables.toSorted());
});

test('the table of metrics names all that the server has', () => {
  const sources = readdirSync('server', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => read(join('server', name)))
    .join('\n');
  const metrics = matches(sources, /name: '((?:millrace|http)_\w+)'/g);
  const named = matches(read('docs/administration.md'), /`((?:millrace|http)_\w+)`/g);
  expect([...new Set(named)].toSorted()).toEqual(metrics.toSorted());
});

test('the operations available over GraphQL only exist in the schema', () => {
  const table = read('docs/graphql.md').split('## Available over GraphQL only')[1] ?? '';
  const names = matches(table, /`(\w+)(?: \{[^`]*)?`/g);
  const fields = [schema.getQueryType(), schema.getMutationType()].flatMap((type) =>
    Object.keys(type?.getFields() ?? {}),
  );
  expect(names.length).toBeGreaterThan(10);
  expect(names.filter((name) => !fields.includes(name))).toEqual([]);
});

test('every folder of the core is in one group', () => {
  const named = matches(read('schema/README.md').split('\n\nFiles of')[0] ?? '', /`([a-z-]+)`/g);
  const folders = readdirSync('schema', { withFileTypes: true }).filter((e) => e.isDirectory());
  expect(folders.map(({ name }) => name).filter((name) => !named.includes(name))).toEqual([]);
  expect(named.length).toBe(new Set(named).size);
});

test('README and ARCHITECTURE stay short', () => {
  const lines = (path: string) => read(path).trimEnd().split('\n').length;
  expect(lines('README.md')).toBeLessThanOrEqual(150);
  expect(lines('ARCHITECTURE.md')).toBeLessThan(200);
});

test('docs/soap.md has all methods; `node test/support/soap-methods.ts` writes its table', () => {
  expect(read(soapDocument)).toBe(soapDocumentText());
});

test('docs/webhooks.md has all payloads; `node test/support/webhook-payloads.ts` writes its tables', () => {
  expect(read(webhookDocument)).toBe(webhookDocumentText());
});
