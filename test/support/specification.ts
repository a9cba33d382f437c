import { readFileSync } from 'node:fs';
import { expect } from 'vitest';

/** The section of the specification that lists the endpoints. */
function endpointSection(): string {
  const text = readFileSync('test/fixtures/specification.md', 'utf8');
  return text.slice(text.indexOf('## Endpoints'), text.indexOf('## Authentication'));
}

/**
 * `GET /projects/:id` and so on for each endpoint of the specification, one per table row; a row
 * may have two paths, or refer to those of the row above.
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
  // the specification mentions three in prose
  for (const endpoint of [
    'POST /projects/:id/fork',
    'GET /application/settings',
    'PUT /application/settings',
  ]) {
    expect(section).toContain(endpoint);
    endpoints.add(endpoint);
  }
  return [...endpoints];
}
