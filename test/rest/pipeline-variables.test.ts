import { describe, expect, test } from 'vitest';
import { ciOf } from '../support/ci.ts';
import { runnerClient } from '../support/runner-client.ts';
import { runnersOf } from '../support/runners.ts';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const testWorld = await world();
const { as, seed, root, url, db } = testWorld;
const { projectWithCi } = await ciOf(testWorld);
const ada = await seed.user('ada');
const max = await seed.user('max');
const dan = await seed.user('dan');
const dora = await seed.user('dora');
const rita = await seed.user('rita');
const gus = await seed.user('gus');
const eve = await seed.user('eve');
await seed.group('acme', { owner: ada });
const roles = { master: max, reporter: rita, guest: gus };
const app = await projectWithCi('acme/app', roles);
for (const { id: user_id } of [dan, dora]) {
  await as(root).post(`/projects/${app.id}/members`, { user_id, access_level: 30 });
}
const create = `/projects/${app.id}/pipeline`;
const target = { key: 'TARGET', value: 'moon' };

async function createPipeline(variables?: unknown): Promise<string> {
  const { status, body } = await as(dan).post(create, { ref: 'master', variables });
  expect(status).toBe(201);
  return `/projects/${app.id}/pipelines/${(body as { id: number }).id}/variables`;
}

describe('POST /projects/:id/pipeline', () => {
  test('gives variables to the jobs, and encrypts them', async () => {
    await createPipeline([target, { key: 'EMPTY', value: '', variable_type: 'env_var' }]);
    const runner = await runnersOf(testWorld).specific([app.id]);
    const { job } = await runnerClient(url, runner.token).request();
    expect(job?.variables).toEqual(
      expect.arrayContaining([
        { ...target, public: false },
        { key: 'EMPTY', value: '', public: false },
      ]),
    );
    const { variablesSealed } = await db.pipeline.findFirstOrThrow({ orderBy: { id: 'desc' } });
    expect(variablesSealed).not.toContain('moon');
  });

  test('accepts variables as a form', async () => {
    const body = new URLSearchParams([
      ['ref', 'master'],
      ['variables[][key]', 'A'],
      ['variables[][value]', '1'],
      ['variables[][key]', 'B'],
      ['variables[][value]', '2'],
    ]);
    const response = await as(dan).fetch(create, { method: 'POST', body });
    const { id } = (await response.json()) as { readonly id: number };
    const { body: listed } = await as(dan).get(`/projects/${app.id}/pipelines/${id}/variables`);
    expect(listed).toEqual([
      { key: 'A', variable_type: 'env_var', value: '1' },
      { key: 'B', variable_type: 'env_var', value: '2' },
    ]);
  });

  test.each([
    [[{ key: 'A' }], refused.parameter('variables[0][value] is missing')],
    [
      [{ ...target, variable_type: 'file' }],
      refused.parameter('variables[0][variable_type] does not have a valid value'),
    ],
    [
      [{ key: 'A B', value: '' }],
      refused.invalid({ variables: ["A B can contain only letters, digits and '_'."] }),
    ],
    [
      Array.from({ length: 101 }, (_, index) => ({ key: `K${index}`, value: '' })),
      refused.invalid({ variables: ['are too many (maximum is 100)'] }),
    ],
  ])('rejects invalid variables: %#', async (variables, response) => {
    expect(await as(dan).post(create, { ref: 'master', variables })).toEqual(response);
  });
});

describe('GET /projects/:id/pipelines/:pipeline_id/variables', () => {
  test('lists the variables to masters and the user who gave them', async () => {
    const path = await createPipeline([target]);
    const listed = { status: 200, body: [{ ...target, variable_type: 'env_var' }] };
    for (const user of [root, ada, max, dan]) expect(await as(user).get(path)).toEqual(listed);
    for (const user of [dora, rita]) expect(await as(user).get(path)).toEqual(refused.forbidden);
    expect(await as(gus).get(path)).toEqual(refused.forbidden);
    expect(await as(eve).get(path)).toEqual(refused.missing('Project'));
    expect(await as(null).get(path)).toEqual(refused.anonymous);
  });

  test('is empty without variables, and 404 without the pipeline', async () => {
    expect((await as(dan).get(await createPipeline())).body).toEqual([]);
    expect(await as(dan).get(`/projects/${app.id}/pipelines/999999/variables`)).toEqual(
      refused.record,
    );
  });

  test('hides the variables from a user who may no longer run pipelines', async () => {
    const path = await createPipeline([target]);
    await as(root).put(`/projects/${app.id}/members/${dan.id}`, { access_level: 20 });
    expect(await as(dan).get(path)).toEqual(refused.forbidden);
    await as(root).put(`/projects/${app.id}/members/${dan.id}`, { access_level: 30 });
  });

  test('GraphQL shows them to the same users', async () => {
    const path = await createPipeline([target]);
    const id = Number(path.split('/').at(-2));
    const pipeline = `pipeline(id: "Pipeline:${id}") { variables { key value } }`;
    const query = `{ project(id: "acme/app") { ${pipeline} } }`;
    const shownTo = async (token: string) => {
      const response = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers: { 'Private-Token': token, 'Content-Type': 'application/json' },
        body: JSON.stringify({ query }),
      });
      return (await response.json()) as unknown;
    };
    const shown = (variables: unknown) => ({ data: { project: { pipeline: { variables } } } });
    expect(await shownTo(max.token)).toEqual(shown([target]));
    expect(await shownTo(dora.token)).toEqual(shown(null));
  });
});
