import { describe, expect, test } from 'vitest';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, db } = await world();
const max = await seed.user('max');
const dan = await seed.user('dan');
const eve = await seed.user('eve');
const rita = await seed.user('rita');
const sam = await seed.user('sam');
const roles = { master: max, developer: [dan, eve], reporter: rita };
await seed.group('acme', { owner: await seed.user('ada') });
const { id: app } = await seed.project('acme/app', roles);
const input = { description: 'nightly', ref: 'master', cron: '0 1 * * *' };
const missing = refused.missing('Pipeline Schedule');
const missingVariable = refused.missing('Pipeline Schedule Variable');

interface Created {
  readonly id: number;
}

/** A schedule of Dan's without variables; returns the path of its variables. */
async function createSchedule() {
  const { body } = await as(dan).post(`/projects/${app}/pipeline_schedules`, input);
  const { id } = body as Created;
  return { id, path: `/projects/${app}/pipeline_schedules/${id}/variables` };
}

type Person = Parameters<typeof as>[0];

/** Checks that a change is refused to all users except the owner and masters. */
async function expectOwnerOnly(send: (person: Person) => Promise<unknown>) {
  expect(await send(null)).toEqual(refused.anonymous);
  expect(await send(sam)).toEqual(refused.missing('Project'));
  expect(await send(rita)).toEqual(missing);
  expect(await send(eve)).toEqual(refused.forbidden);
}

describe('POST /projects/:id/pipeline_schedules/:pipeline_schedule_id/variables', () => {
  const body = { key: 'TARGET', value: 'moon' };

  test('adds a variable, whose value is stored encrypted', async () => {
    const { id, path } = await createSchedule();
    expect(await as(dan).post(path, body)).toEqual({ status: 201, body });
    const row = await db.pipelineScheduleVariable.findFirstOrThrow({ where: { scheduleId: id } });
    expect(row.valueSealed).not.toContain('moon');
  });

  test('requires the owner or a master, and a schedule', async () => {
    const { path } = await createSchedule();
    await expectOwnerOnly((person) => as(person).post(path, body));
    expect((await as(max).post(path, body)).status).toBe(201);
    expect((await as(root).post(path, { ...body, key: 'OTHER' })).status).toBe(201);
    const unknown = `/projects/${app}/pipeline_schedules/0/variables`;
    expect(await as(dan).post(unknown, body)).toEqual(missing);
  });

  test('rejects missing, invalid and taken keys', async () => {
    const { path } = await createSchedule();
    const create = (key: string, value = 'x') => as(dan).post(path, { key, value });
    expect(await as(dan).post(path)).toEqual(refused.parameter('key is missing, value is missing'));
    expect(await create('A B')).toEqual(
      refused.invalid({ key: ["can contain only letters, digits and '_'."] }),
    );
    expect((await create('A')).status).toBe(201);
    expect(await create('A')).toEqual(refused.invalid({ key: ['has already been taken'] }));
    expect(await create('B', 'x'.repeat(65_536))).toEqual(
      refused.invalid({ variables: ['are too long together (maximum is 65536 characters)'] }),
    );
  });

  test('accepts at most 100 variables, also concurrently', async () => {
    const { id, path } = await createSchedule();
    const { valueSealed } = await sealed(path, id);
    await db.pipelineScheduleVariable.createMany({
      data: Array.from({ length: 98 }, (_, n) => ({ scheduleId: id, key: `V${n}`, valueSealed })),
    });
    const create = (key: string) => as(dan).post(path, { key, value: 'x' });
    const statuses = (await Promise.all([create('A'), create('B')])).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([201, 400]);
    expect(await create('C')).toEqual(
      refused.invalid({ variables: ['are too many (maximum is 100)'] }),
    );
  });

  /** The row of a new variable. */
  async function sealed(path: string, scheduleId: number) {
    await as(dan).post(path, { key: 'FIRST', value: 'x' });
    return db.pipelineScheduleVariable.findFirstOrThrow({ where: { scheduleId } });
  }
});

describe('PUT /projects/:id/pipeline_schedules/:pipeline_schedule_id/variables/:key', () => {
  test('changes the value', async () => {
    const { path } = await createSchedule();
    await as(dan).post(path, { key: 'TARGET', value: 'moon' });
    const mars = { status: 200, body: { key: 'TARGET', value: 'mars' } };
    expect(await as(dan).put(`${path}/TARGET`, { value: 'mars' })).toEqual(mars);
    expect(await as(max).put(`${path}/TARGET`, {})).toEqual(mars);
    expect(await as(dan).put(`${path}/TARGET`, { value: 'x'.repeat(65_536) })).toEqual(
      refused.invalid({ variables: ['are too long together (maximum is 65536 characters)'] }),
    );
  });

  test('requires the owner or a master, a schedule and a variable', async () => {
    const { path } = await createSchedule();
    await as(dan).post(path, { key: 'TARGET', value: 'moon' });
    const body = { value: 'mars' };
    await expectOwnerOnly((person) => as(person).put(`${path}/TARGET`, body));
    expect(await as(dan).put(`${path}/OTHER`, body)).toEqual(missingVariable);
    const unknown = `/projects/${app}/pipeline_schedules/0/variables/TARGET`;
    expect(await as(dan).put(unknown, body)).toEqual(missing);
  });
});

describe('DELETE /projects/:id/pipeline_schedules/:pipeline_schedule_id/variables/:key', () => {
  test('deletes a variable and shows it as it was', async () => {
    const { path } = await createSchedule();
    const body = { key: 'TARGET', value: 'moon' };
    await as(dan).post(path, body);
    expect(await as(dan).delete(`${path}/TARGET`)).toEqual({ status: 202, body });
    expect(await as(dan).delete(`${path}/TARGET`)).toEqual(missingVariable);
  });

  test('requires the owner or a master, and a schedule', async () => {
    const { path } = await createSchedule();
    await as(dan).post(path, { key: 'TARGET', value: 'moon' });
    await expectOwnerOnly((person) => as(person).delete(`${path}/TARGET`));
    const unknown = `/projects/${app}/pipeline_schedules/0/variables/TARGET`;
    expect(await as(dan).delete(unknown)).toEqual(missing);
    expect((await as(max).delete(`${path}/TARGET`)).status).toBe(202);
  });
});
