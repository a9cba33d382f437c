import { expect, test } from 'vitest';
import { pages } from '../../server/pages/index.ts';
import { sectionsOfGroups, sectionsOfProjects } from '../../server/pages/sections.ts';
import { visitorAt } from '../support/visitor.ts';
import { world } from '../support/world.ts';

const server = await world();
const eve = await server.seed.user('eve');
await server.seed.group('acme', {});
await server.seed.project('acme/app', {});
const visitor = visitorAt(server.url);
await visitor.signIn(server.root);
const other = visitorAt(server.url);
await other.signIn(eve);
const foreignToken = await other.formToken('/profile');

const submitted = <Section extends { readonly word: string; readonly submit?: unknown }>(
  sections: readonly Section[],
  owner: string,
) => sections.filter(({ submit }) => submit).map(({ word }) => `${owner}/${word}`);

/** Every address that takes a form. */
const targets = new Set([
  ...submitted(sectionsOfProjects, '/acme/app'),
  ...submitted(sectionsOfGroups, '/groups/acme'),
  ...pages
    .filter(({ method, path }) => method === 'post' && path !== '/*address')
    .map(({ path }) => path.replace(/:\w+/g, '1').replace('*address', '1')),
]);

test.each([...targets])('%s refuses a form without the token of its browser', async (target) => {
  for (const authenticity_token of ['', 'x'.repeat(64), foreignToken]) {
    expect((await visitor.post(target, { authenticity_token })).status).toBe(403);
  }
});
