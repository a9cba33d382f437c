import { describe, expect, test } from 'vitest';
import { routes } from '../../rest-facade/index.ts';
import { resources } from '../../soap-facade/resources.ts';
import { withoutMethod } from '../fixtures/soap/without-method.ts';
import { specifiedEndpoints } from '../support/specification.ts';

const endpoints = specifiedEndpoints();
const mounted = routes.map(({ method, path }) => `${method.toUpperCase()} ${path}`);
const methods = resources.flatMap((resource) =>
  Object.entries(resource.methods).map(([name, method]) => ({
    path: `${resource.name}.${name}`,
    ...method,
  })),
);
const operations = methods.map(({ operation }) => operation as string);
const { never, later } = withoutMethod;
const without = [...never, ...later];

describe('every endpoint of the specification is one method', () => {
  test.each(endpoints)('%s', (endpoint) => {
    expect([...operations, ...without]).toContain(endpoint);
  });

  test('what is said to be without one is in the specification, and has none', () => {
    expect(without.filter((endpoint) => !endpoints.includes(endpoint))).toEqual([]);
    expect(without.filter((endpoint) => operations.includes(endpoint))).toEqual([]);
  });
});

describe('every method is one endpoint', () => {
  test.each(methods)('$path', ({ operation, title }) => {
    expect(mounted).toContain(operation);
    expect(title).toMatch(/^[A-Z].*[^.]$/);
  });

  test('no endpoint is two methods, and no name is two resources', () => {
    expect(operations.length).toBe(new Set(operations).size);
    const names = resources.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
    expect(names.length).toBe(new Set(names).size);
  });

  test('names are of small letters', () => {
    const names = methods.map(({ path }) => path);
    expect(names.filter((name) => !/^[a-z]+(?:_[a-z]+)*\.[a-z]+(?:_[a-z]+)*$/.test(name))).toEqual(
      [],
    );
  });
});
