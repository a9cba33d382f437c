import { describe, expect, test } from 'vitest';
import { fault, projectNotFound, restOf, soapClientOf } from '../support/soap.ts';
import { world } from '../support/world.ts';

const { as, seed, url } = await world();
const soap = soapClientOf(url);
const ada = await seed.user('ada');
const asAda = soap.as(ada);
const asBob = soap.as(await seed.user('bob'));
const rest = restOf(as);
const acme = await seed.group('acme', { owner: ada });
const app = await seed.project('acme/app');

describe('search', () => {
  test('list, group and project', async () => {
    const query = { scope: 'milestones', search: 'needle' };
    await as(ada).post(`/projects/${app.id}/milestones`, { title: 'Needle' });
    const found = await asAda('search.list', query);
    expect(found).toMatchObject({ result: [{ title: 'Needle' }] });
    expect(found).toEqual(await rest(ada, `/search?${new URLSearchParams(query)}`));
    expect(await asAda('search.group', [acme.id, query])).toEqual(found);
    expect(await asAda('search.project', [app.id, query])).toEqual(found);
    const users = { ...query, scope: 'users' };
    expect(await asAda('search.project', [app.id, users])).toEqual({ result: [] });
    expect(await asBob('search.project', [app.id, query])).toEqual(projectNotFound);
    const unknown = fault('101', 'scope does not have a valid value');
    expect(await asAda('search.list', { ...query, scope: 'x' })).toEqual(unknown);
  });
});
