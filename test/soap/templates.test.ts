import { expect, test } from 'vitest';
import { restOf, soapClientOf } from '../support/soap.ts';
import { world } from '../support/world.ts';

const { as, seed, url } = await world();
const ada = await seed.user('ada');
const asAda = soapClientOf(url).as(ada);
const rest = restOf(as);
const missing = { fault: { code: '102', message: expect.any(String) } };

test.each([
  ['license_template', 'licenses', 'mit'],
  ['gitignore_template', 'gitignores', 'Node'],
  ['ci_template', 'gitlab_ci_ymls', 'Nodejs'],
  ['dockerfile_template', 'dockerfiles', 'Node'],
])('%s.list and info', async (resource, path, key) => {
  const listed = await rest(ada, `/templates/${path}`);
  expect(await asAda(`${resource}.list`)).toEqual(listed);
  const shown = await rest(ada, `/templates/${path}/${key}`);
  expect(await asAda(`${resource}.info`, [key])).toEqual(shown);
  expect(await asAda(`${resource}.info`, ['none'])).toEqual(missing);
});

test('license_template.info fills in the project and the owner', async () => {
  const input = { key: 'gpl-3.0', project: 'Looms', fullname: 'Ada Lovelace' };
  const { result } = await asAda('license_template.info', input);
  const year = new Date().getUTCFullYear();
  expect(result).toMatchObject({
    content: expect.stringContaining(`Looms  Copyright (C) ${year}  Ada Lovelace`),
  });
});
