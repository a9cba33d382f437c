import { describe, expect, test } from 'vitest';
import { resources } from '../../soap-facade/resources/index.ts';
import { withoutMethod } from '../fixtures/soap/without-method.ts';
import { mountedEndpoints } from '../support/mounted.ts';

const methods = resources.flatMap((resource) =>
  Object.entries(resource.methods).map(([name, [operation, title]]) => ({
    path: `${resource.name}.${name}`,
    operation,
    title,
  })),
);
const operations = methods.map(({ operation }) => operation as string);
const excluded = Object.entries(withoutMethod);

describe('every REST endpoint is one method or excluded', () => {
  test.each(mountedEndpoints)('%s', (endpoint) => {
    const places = operations.filter((operation) => operation === endpoint).length;
    expect(places).toBe(Object.hasOwn(withoutMethod, endpoint) ? 0 : 1);
  });

  test.each(excluded)('%s is excluded with a reason', (endpoint, reason) => {
    expect(mountedEndpoints).toContain(endpoint);
    expect(reason).toMatch(/^[a-z].*[^.]$/);
  });

  test('reasons name existing methods only', () => {
    const paths = methods.map(({ path }) => path);
    const named = excluded.flatMap(([, reason]) => reason.match(/^[a-z_]+\.[a-z_]+/g) ?? []);
    expect(named.filter((path) => !paths.includes(path))).toEqual([]);
  });
});

describe('every method is one endpoint', () => {
  test.each(methods)('$path', ({ operation, title }) => {
    expect(mountedEndpoints).toContain(operation);
    expect(title).toMatch(/^[A-Z].*[^.]$/);
  });

  test('names and aliases of resources are unique', () => {
    const names = resources.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
    expect(names.length).toBe(new Set(names).size);
  });

  test('names are lower case', () => {
    const names = methods.map(({ path }) => path);
    expect(names.filter((name) => !/^[a-z]+(?:_[a-z]+)*\.[a-z]+(?:_[a-z]+)*$/.test(name))).toEqual(
      [],
    );
  });
});
