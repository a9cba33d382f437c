import { describe, expect, test } from 'vitest';
import { sharedWork } from '../../server/git/process/shared-work.ts';
import { backgroundCaller, type Caller, callerOf } from '../../server/scheduling/caller.ts';
import { turnsOf } from '../../server/scheduling/heavy-work.ts';
import { isPenalised, recordLimitReached } from '../../server/scheduling/penalties.ts';
import { currentTurn, identifyCaller, runAs } from '../../server/scheduling/scope.ts';

const established = new Date('2020-01-01');
const user = (id: number, createdAt = established) => callerOf({ id, createdAt }, '192.0.2.1');
// other files of this process use small ids
const [ada, bob] = [user(1_001), user(1_002)];
const [anonymous, stranger] = [callerOf(null, '192.0.2.2'), callerOf(null, '192.0.2.3')];

let kinds = 0;

/** Turns of a kind of its own, whose work runs until it is ended by name. */
function turns(places: number) {
  kinds += 1;
  const inTurn = turnsOf(`kind ${kinds}`, places);
  const ends = new Map<string, () => void>();
  const started: string[] = [];
  return {
    inTurn,
    started,
    hold: (caller: Caller, name: string, project?: string) =>
      runAs(caller, () =>
        inTurn(
          async () => {
            started.push(name);
            await new Promise<void>((resolve) => ends.set(name, resolve));
            return name;
          },
          { project },
        ),
      ),
    end: async (...names: string[]) => {
      await settled();
      for (const name of names) ends.get(name)?.();
      await settled();
    },
  };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('turns', () => {
  test('of two places serve two users and an anonymous caller, whatever others hold', async () => {
    const { hold, end, started } = turns(2);
    void hold(anonymous, 'a1');
    void hold(anonymous, 'a2');
    void hold(stranger, 's1');
    void hold(ada, 'ada1');
    void hold(ada, 'ada2');
    void hold(bob, 'bob1');
    await settled();
    expect(started).toEqual(['a1', 's1', 'ada1', 'bob1']);
    await end('a1', 's1', 'ada1', 'bob1');
    await end('ada2', 'a2');
    expect(started.slice(4).sort()).toEqual(['a2', 'ada2']);
  });

  test('of jobs of one project leave some to another', async () => {
    const { hold, end, started } = turns(2);
    const [one, two] = [backgroundCaller(1), backgroundCaller(2)];
    for (const name of ['one1', 'one2', 'one3']) void hold(one, name);
    void hold(two, 'two1');
    await settled();
    expect(started).toEqual(['one1', 'two1']);
    for (const name of ['one1', 'two1', 'one2', 'one3']) await end(name);
    expect(started).toEqual(['one1', 'two1', 'one2', 'one3']);
  });

  test('of one project leave some to another', async () => {
    const { hold, end, started } = turns(4);
    const users = [3, 4, 5, 6].map((id) => user(id));
    for (const [n, each] of users.entries()) void hold(each, `app${n}`, 'app');
    void hold(ada, 'other', 'other');
    await settled();
    expect(started).toEqual(['app0', 'app1', 'app2', 'other']);
    await end('app0', 'app1', 'app2', 'other');
    await end('app3');
  });

  test('of accounts younger than a day are those of their network', async () => {
    const { hold, end, started } = turns(2);
    const young = [7, 8, 9].map((id) => user(id, new Date()));
    for (const [n, each] of young.entries()) void hold(each, `young${n}`);
    void hold(ada, 'ada');
    await settled();
    expect(started).toEqual(['young0', 'ada']);
    for (const name of ['young0', 'young1', 'young2', 'ada']) await end(name);
  });

  test('inside a turn of any kind do not wait', async () => {
    const [outer, inner] = [turns(1), turns(1)];
    void inner.hold(bob, 'held');
    const nested = runAs(ada, () =>
      outer.inTurn(() => outer.inTurn(() => inner.inTurn(async () => 'nested'))),
    );
    expect(await nested).toBe('nested');
    await inner.end('held');
  });

  test('that have ended are no turns for work that goes on', async () => {
    const { inTurn } = turns(1);
    const later = Promise.withResolvers<void>();
    const left = runAs(ada, () =>
      inTurn(async () => ({ turn: later.promise.then(() => currentTurn()) })),
    );
    const { turn } = await left;
    later.resolve();
    expect(await turn).toBeNull();
  });
});

describe('a caller', () => {
  test('whose work exceeded a limit waits behind the others of its class', async () => {
    const { inTurn, hold, end, started } = turns(1);
    const slow = user(1_010);
    await runAs(slow, () => inTurn(async () => recordLimitReached()));
    expect([isPenalised(slow), isPenalised(ada)]).toEqual([true, false]);
    void hold(ada, 'first');
    void hold(slow, 'slow');
    void hold(bob, 'bob');
    for (const name of ['first', 'bob', 'slow']) await end(name);
    expect(started).toEqual(['first', 'bob', 'slow']);
  });

  test('of a request is its user as soon as the credential is known', async () => {
    const { hold, end, started } = turns(2);
    const { inTurn } = turns(2);
    void hold(anonymous, 'held');
    const caller = await runAs(anonymous, async () => {
      await settled();
      identifyCaller({ id: 1_001, createdAt: established });
      return inTurn(async () => currentTurn()?.caller);
    });
    expect(caller).toMatchObject({ class: 'signed in', key: ada.key, userId: 1_001 });
    await end('held');
    expect(started).toEqual(['held']);
  });
});

describe('shared work', () => {
  test('starts by the turn of a caller that joins, and runs once', async () => {
    const { inTurn, hold, end, started } = turns(2);
    const shared = sharedWork<string>();
    let runs = 0;
    const read = (caller: Caller) =>
      runAs(caller, () =>
        shared('key', null, () =>
          inTurn(async () => {
            runs += 1;
            return currentTurn()?.caller.key ?? '';
          }),
        ),
      );
    void hold(anonymous, 'a');
    void hold(stranger, 's');
    const first = read(anonymous);
    const second = read(stranger);
    await settled();
    expect([runs, started]).toEqual([0, ['a', 's']]);
    expect(await read(ada)).toBe(ada.key);
    expect([await first, await second, runs]).toEqual([ada.key, ada.key, 1]);
    await end('a', 's');
  });

  test('that nobody waits for leaves the queue', async () => {
    const { inTurn, hold, end, started } = turns(1);
    const shared = sharedWork<void>();
    void hold(ada, 'held');
    const controllers = [new AbortController(), new AbortController()];
    const readers = controllers.map(({ signal }) =>
      runAs(bob, () => shared('key', signal, () => inTurn(async () => void started.push('read')))),
    );
    for (const controller of controllers) controller.abort(new Error('gone'));
    await Promise.all(readers.map((reader) => expect(reader).rejects.toThrow('gone')));
    await end('held');
    expect(started).toEqual(['held']);
  });
});
