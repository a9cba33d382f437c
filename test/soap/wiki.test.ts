import { expect, test } from 'vitest';
import { denied, projectNotFound, restOf, soapClientOf } from '../support/soap.ts';
import { world } from '../support/world.ts';

const { as, seed, url } = await world();
const soap = soapClientOf(url);
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const asAda = soap.as(ada);
const asBob = soap.as(bob);
const rest = restOf(as);
const { id: app } = await seed.project('ada/app', { reporter: bob });
const path = `/projects/${app}/wikis`;
const noPage = { fault: { code: '102', message: expect.stringContaining('Not Found') } };

test('wiki.create, wiki.list and wiki.info', async () => {
  const content = '# Grüße\r\n<b> & "x"\n';
  const response = await asAda('wiki.create', [app, { title: 'Start page', content }]);
  expect(response.result).toMatchObject({ slug: 'Start-page', content });
  expect(response).toEqual(await rest(ada, `${path}/Start-page`));
  expect(await asAda('wiki.info', [app, 'Start-page'])).toEqual(response);
  expect(await asAda('wiki.list', [app])).toEqual(await rest(ada, path));
  expect(await asAda('wiki.list', [app, { with_content: '1' }])).toEqual({
    result: [response.result],
  });
  expect(await asAda('wiki.create', [app, { title: 'x' }])).toMatchObject({
    fault: { code: '100', message: 'content is missing' },
  });
  expect(await asBob('wiki.create', [app, { title: 'x', content }])).toEqual(denied);
  expect(await asAda('wiki.info', [app, 'none'])).toEqual(noPage);
  expect(await asAda('wiki.list', ['none'])).toEqual(projectNotFound);
});

test('wiki.update', async () => {
  await asAda('wiki.create', [app, { title: 'changing', content: 'before' }]);
  const response = await asAda('wiki.update', [app, 'changing', { content: 'after' }]);
  expect(response).toEqual(await rest(ada, `${path}/changing`));
  expect(response.result).toMatchObject({ content: 'after' });
  expect(await asBob('wiki.update', [app, 'changing', { content: 'no' }])).toEqual(denied);
});

test('wiki.delete', async () => {
  await asAda('wiki.create', [app, { title: 'gone', content: 'x' }]);
  expect(await asBob('wiki.delete', [app, 'gone'])).toEqual(denied);
  expect(await asAda('wiki.delete', [app, 'gone'])).toEqual({ result: true });
  expect(await asAda('wiki.delete', [app, 'gone'])).toEqual(noPage);
});
