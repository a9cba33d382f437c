import { expect, test } from 'vitest';
import { soapClientOf } from '../support/soap.ts';
import { world } from '../support/world.ts';

const { as, root, seed, url } = await world();
const soap = soapClientOf(url);
const asAda = soap.as(await seed.user('ada'));
const asRoot = soap.as(root);

const denied = { fault: { code: '2', message: 'Access denied.' } };
const stored = async () => ({ result: (await as(root).get('/application/settings')).body });

test('settings.info', async () => {
  expect(await asRoot('settings.info')).toEqual(await stored());
  expect(await asAda('settings.info')).toEqual(denied);
});

test('settings.update', async () => {
  const change = {
    home_page_url: 'https://example.com/?a&b',
    signup_enabled: 'false',
    domain_whitelist: ['example.com', 'example.org'],
    polling_interval_multiplier: 1.5,
    sign_in_text: null,
  };
  const response = await asRoot('settings.update', [change]);
  expect(response).toEqual(await stored());
  const shown = { signup_enabled: false, polling_interval_multiplier: '1.5' };
  expect(response.result).toMatchObject({ ...change, ...shown, max_artifacts_size: 100 });
  expect(await asRoot('settings.update', change)).toEqual(await stored());
  expect(await asRoot('settings.update', [{ domain_whitelist: ['a b'] }])).toEqual({
    fault: { code: '100', message: "domain_whitelist 'a b' is not a valid domain" },
  });
  expect(await asRoot('settings.update', [{ default_branch_protection: 9 }])).toEqual({
    fault: { code: '100', message: 'default_branch_protection does not have a valid value' },
  });
  expect(await asAda('settings.update', [change])).toEqual(denied);
});
