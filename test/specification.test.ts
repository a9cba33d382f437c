import { expect, test } from 'vitest';
import { mountedEndpoints as mounted } from './support/mounted.ts';
import { specifiedEndpoints } from './support/specification.ts';

const endpoints = specifiedEndpoints();

test('the tables of the specification are parsed', () => {
  expect(endpoints.length).toBe(90);
  expect(endpoints).toContain('PUT /projects/:id/access_requests/:user_id/approve');
});

test.each(endpoints)('%s is mounted', (endpoint) => {
  expect(mounted).toContain(endpoint);
});

test('no endpoint is mounted twice', () => {
  expect(mounted.length).toBe(new Set(mounted).size);
});
