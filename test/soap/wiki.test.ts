import { expect, test } from 'vitest';
import { denied, projectNotFound, restOf, soapClientOf } from '../support/soap.ts';
import { world } from '../support/world.ts';

const { as, seed, url } = await world();
const soap = soapClientOf(url);
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const hers = soap.as(ada);
const his = soap.as(bob);
const rest = restOf(as);
const { id: app } = await seed.project('ada/app', { reporter: bob });
const path = `/projects/${app}/wikis`;
const noPage = { fault: { code: '102', message: expect.stringContaining('Not Found') } };

test('wiki.create, wiki.list and wiki.info', async () => {
  const content = '# Grüße\r\n<b> & "x"\n';
  const told = await hers('wiki.create', [app, { title: 'Start page', content }]);
  expect(told.result).toMatchObject({ slug: 'Start-page', content });
  expect(told).toEqual(await rest(ada, `${path}/Start-page`));
  expect(await hers('wiki.info', [app, 'Start-page'])).toEqual(told);
  expect(await hers('wiki.list', [app])).toEqual(await rest(ada, path));
  expect(await hers('wiki.list', [app, { with_content: '1' }])).toEqual({ result: [told.result] });
  expect(await hers('wiki.create', [app, { title: 'x' }])).toMatchObject({
    fault: { code: '100', message: 'content is missing' },
  });
  expect(await his('wiki.create', [app, { title: 'x', content }])).toEqual(denied);
  expect(await hers('wiki.info', [app, 'none'])).toEqual(noPage);
  expect(await hers('wiki.list', ['none'])).toEqual(projectNotFound);
});

test('wiki.update', async () => {
  await hers('wiki.create', [app, { title: 'changing', content: 'before' }]);
  const told = await hers('wiki.update', [app, 'changing', { content: 'after' }]);
  expect(told).toEqual(await rest(ada, `${path}/changing`));
  expect(told.result).toMatchObject({ content: 'after' });
  expect(await his('wiki.update', [app, 'changing', { content: 'no' }])).toEqual(denied);
});

test('wiki.delete', async () => {
  await hers('wiki.create', [app, { title: 'gone', content: 'x' }]);
  expect(await his('wiki.delete', [app, 'gone'])).toEqual(denied);
  expect(await hers('wiki.delete', [app, 'gone'])).toEqual({ result: true });
  expect(await hers('wiki.delete', [app, 'gone'])).toEqual(noPage);
});
