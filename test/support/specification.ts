import { readFileSync } from 'node:fs';
import { expect } from 'vitest';

/** The section of the specification that tells the endpoints. */
function endpointSection(): string {
  const text = readFileSync('test/fixtures/specification.md', 'utf8');
  return text.slice(text.indexOf('## Endpoints'), text.indexOf('## Authentication'));
}

/**
 * `GET /projects/:id` for each endpoint of the specification: one for each row of the tables; a row
 * may name two paths, or those above it.
 */
export function specifiedEndpoints(): readonly string[] {
  const section = endpointSection();
  const endpoints = new Set<string>();
  let paths: string[] = [];
  for (const [, method, rest = ''] of section.matchAll(/^\| (GET|POST|PUT|DELETE) ([^|]+) \|/gm)) {
    if (!rest.startsWith('(same paths)')) {
      paths = [...rest.matchAll(/\/[^\s?]+/g)].map(([path]) => path);
    }
    for (const path of paths) endpoints.add(`${method} ${path}`);
  }
  // three that the specification tells in sentences
  for (const told of [
    'POST /projects/:id/fork',
    'GET /application/settings',
    'PUT /application/settings',
  ]) {
    expect(section).toContain(told);
    endpoints.add(told);
  }
  return [...endpoints];
}
