import { expect, test } from 'vitest';
import { comingLater } from './fixtures/coming-later.ts';
import { mountedEndpoints as mounted } from './support/mounted.ts';
import { specifiedEndpoints } from './support/specification.ts';

const endpoints = specifiedEndpoints();
const later = Object.values(comingLater).flat();

test('the tables are read as they are written', () => {
  expect(endpoints.length).toBe(90);
  expect(endpoints).toContain('PUT /projects/:id/access_requests/:user_id/approve');
});

test.each(endpoints)('%s is mounted, or comes with a part that is named', (endpoint) => {
  expect([...mounted, ...later]).toContain(endpoint);
});

test('what is said to come later is in the specification, and is not here yet', () => {
  expect(later.filter((endpoint) => !endpoints.includes(endpoint))).toEqual([]);
  expect(later.filter((endpoint) => mounted.includes(endpoint))).toEqual([]);
});

test('no endpoint is mounted twice', () => {
  expect(mounted.length).toBe(new Set(mounted).size);
});
