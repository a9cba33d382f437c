import { describe, expect, test } from 'vitest';
import { pushBranches } from '../support/merge-requests.ts';
import {
  type CreatedIssue,
  creatorOf,
  denied,
  fault,
  groupNotFound,
  projectNotFound,
  recordNotFound,
  restOf,
  soapClientOf,
} from '../support/soap.ts';
import { world } from '../support/world.ts';

const { as, remote, root, seed, url } = await world();
const soap = soapClientOf(url);
const ada = await seed.user('ada');
const bob = await seed.user('bob');
const hers = soap.as(ada);
const his = soap.as(bob);
const rest = restOf(as);
const acme = await seed.group('acme', { owner: ada, reporter: bob });
const { id: app } = await seed.project('acme/app', {}, { snippets_enabled: true });
const branches = ['topic', 'created', 'changed', 'gone', 'followed', 'long', 'merged', 'waiting'];
const commits = await pushBranches(remote('acme/app', root), branches);

const inProject = `/projects/${app}`;
const all = `${inProject}/merge_requests`;
const make = creatorOf(as(ada));
const shown = (iid: number) => rest(ada, `${all}/${iid}`);
/** One from a branch, that was looked at: by that it is known whether it can be merged. */
const offer = async (source_branch: string, more: Record<string, unknown> = {}) => {
  const given = { source_branch, target_branch: 'master', title: source_branch, ...more };
  const { iid } = await make(all, given);
  await shown(iid);
  return iid;
};

const issue = await make(`${inProject}/issues`, { title: 'It' });
const topic = await offer('topic', { description: `Closes #${issue.iid}`, labels: 'bug' });
const one = `${all}/${topic}`;

describe('what is read is what REST tells', () => {
  const noProject = { wrong: ['none', 1], refusal: projectNotFound };

  test.each<{ method: string; args: unknown; path: string; wrong: unknown; refusal: unknown }>([
    {
      method: 'list',
      args: [{ scope: 'all', labels: 'bug', per_page: '5' }],
      path: '/merge_requests?scope=all&labels=bug',
      wrong: [{ state: 'odd' }],
      refusal: fault('101', 'state does not have a valid value'),
    },
    {
      method: 'list_of_group',
      args: ['acme', { labels: 'bug', view: 'simple' }],
      path: `/groups/${acme.id}/merge_requests?labels=bug&view=simple`,
      wrong: 'none',
      refusal: groupNotFound,
    },
    {
      method: 'list_of_project',
      args: [app, { iids: [String(topic)] }],
      path: `${all}?iids[]=${topic}`,
      wrong: [app, { iids: ['x'] }],
      refusal: fault('101', 'iids is invalid'),
    },
    {
      method: 'info',
      args: { id: 'acme/app', merge_request_iid: String(topic) },
      path: one,
      wrong: [app, 99],
      refusal: recordNotFound,
    },
    { method: 'commits', args: [app, topic], path: `${one}/commits`, ...noProject },
    { method: 'changes', args: [app, topic], path: `${one}/changes`, ...noProject },
    { method: 'participants', args: [app, topic], path: `${one}/participants`, ...noProject },
    { method: 'closes_issues', args: [app, topic], path: `${one}/closes_issues`, ...noProject },
    { method: 'time_stats', args: [app, topic], path: `${one}/time_stats`, ...noProject },
  ])('merge_request.$method', async ({ method, args, path, wrong, refusal }) => {
    const told = await hers(`merge_request.${method}`, args);
    expect(told).toEqual(await rest(ada, path));
    if (Array.isArray(told.result)) expect(told.result).toHaveLength(1);
    expect(await hers(`merge_request.${method}`, wrong)).toEqual(refusal);
  });
});

describe('merge_request', () => {
  test('create', async () => {
    const given = { source_branch: 'created', target_branch: 'master', title: 'Größer' };
    const told = await hers('merge_request.create', [app, given]);
    const { result } = await shown((told.result as CreatedIssue).iid);
    expect(told.result).toEqual({ ...(result as object), merge_status: 'unchecked' });
    expect(told.result).toMatchObject(given);
    expect(await hers('merge_request.create', [app, given])).toMatchObject({
      fault: { code: '104' },
    });
  });

  test('update', async () => {
    const iid = await offer('changed');
    const change = { title: 'Other', labels: ['a', 'b'], discussion_locked: 'true' };
    const told = await hers('merge_request.update', [app, iid, change]);
    expect(told.result).toMatchObject({ ...change, discussion_locked: true });
    expect(told).toEqual(await shown(iid));
    expect(await his('merge_request.update', [app, iid, change])).toEqual(denied);
  });

  test('delete', async () => {
    const iid = await offer('gone');
    expect(await his('merge_request.delete', [app, iid])).toEqual(denied);
    expect(await hers('merge_request.delete', [app, iid])).toEqual({ result: true });
  });

  test('subscribe and unsubscribe', async () => {
    const iid = await offer('followed');
    for (const [verb, subscribed] of [
      ['unsubscribe', false],
      ['subscribe', true],
    ] as const) {
      const told = await hers(`merge_request.${verb}`, [app, iid]);
      expect(told.result).toMatchObject({ subscribed });
      expect(told).toEqual(await shown(iid));
      expect(await hers(`merge_request.${verb}`, [app, iid])).toEqual({ result: null });
      expect(await hers(`merge_request.${verb}`, [app, 99])).toEqual(recordNotFound);
    }
  });

  test('its time', async () => {
    const iid = await offer('long');
    for (const [verb, more, stats] of [
      ['time_estimate', [{ duration: '3h 30m' }], { time_estimate: 12_600 }],
      ['add_spent_time', [{ duration: '1h' }], { total_time_spent: 3_600 }],
      ['reset_time_estimate', [], { time_estimate: 0 }],
      ['reset_spent_time', [], { total_time_spent: 0 }],
    ] as const) {
      const told = await hers(`merge_request.${verb}`, [app, iid, ...more]);
      expect(told.result).toMatchObject(stats);
      expect(told).toEqual(await rest(ada, `${all}/${iid}/time_stats`));
      expect(await hers(`merge_request.${verb}`, ['none', iid, ...more])).toEqual(projectNotFound);
    }
  });

  test('merge', async () => {
    const iid = await offer('merged');
    expect(await his('merge_request.merge', [app, iid])).toEqual(denied);
    const given = { merge_commit_message: 'Join', sha: commits.get('merged') };
    const told = await hers('merge_request.merge', [app, iid, given]);
    expect(told.result).toMatchObject({ state: 'merged' });
    expect(told).toEqual(await shown(iid));
    expect(await hers('merge_request.merge', [app, iid])).toEqual(
      fault('104', 'Method Not Allowed'),
    );
  });

  test('cancel_merge_when_pipeline_succeeds', async () => {
    const iid = await offer('waiting');
    const said = { state: 'running', name: 'ci', ref: 'waiting' };
    await make(`${inProject}/statuses/${commits.get('waiting')}`, said);
    const waits = { merge_when_pipeline_succeeds: '1' };
    const waiting = await hers('merge_request.merge', [app, iid, waits]);
    expect(waiting.result).toMatchObject({ state: 'opened', merge_when_pipeline_succeeds: true });
    const cancel = 'merge_request.cancel_merge_when_pipeline_succeeds';
    const told = await hers(cancel, [app, iid]);
    expect(told.result).toMatchObject({ merge_when_pipeline_succeeds: false });
    expect(told).toEqual(await shown(iid));
    expect(await hers(cancel, [app, iid])).toEqual(
      fault('104', "Can't cancel the automatic merge"),
    );
  });
});

describe('award emoji', () => {
  const kinds = { issue: 'issues', merge_request: 'merge_requests', snippet: 'snippets' } as const;
  const given = { title: 'It', file_name: 'a.txt', code: 'a', visibility: 'private' };
  const numberOf = async (kind: keyof typeof kinds) => {
    if (kind === 'snippet') return (await make(`${inProject}/snippets`, given)).id;
    return kind === 'issue' ? issue.iid : topic;
  };
  const places = async (kind: keyof typeof kinds, on: string) => {
    const number = await numberOf(kind);
    const path = `${inProject}/${kinds[kind]}/${number}`;
    if (on === 'thing') return { path, place: [app, number] };
    const { id } = await make(`${path}/notes`, { body: 'Said' });
    return { path: `${path}/notes/${id}`, place: [app, number, id] };
  };

  test.each([
    { kind: 'issue', on: 'thing', name: 'issue_award_emoji' },
    { kind: 'issue', on: 'note', name: 'issue_note_award_emoji' },
    { kind: 'merge_request', on: 'thing', name: 'merge_request_award_emoji' },
    { kind: 'merge_request', on: 'note', name: 'merge_request_note_award_emoji' },
    { kind: 'snippet', on: 'thing', name: 'snippet_award_emoji' },
    { kind: 'snippet', on: 'note', name: 'snippet_note_award_emoji' },
  ] as const)('$name', async ({ kind, on, name }) => {
    const { path, place } = await places(kind, on);
    const told = await hers(`${name}.create`, [...place, { name: 'tada' }]);
    expect(told.result).toMatchObject({ name: 'tada', user: { username: 'ada' } });
    const { id } = told.result as CreatedIssue;
    expect(told).toEqual(await rest(ada, `${path}/award_emoji/${id}`));
    expect(await hers(`${name}.create`, place)).toEqual(fault('100', 'name is missing'));

    expect(await hers(`${name}.info`, [...place, id])).toEqual(told);
    expect(await hers(`${name}.info`, [...place, 0])).toEqual(
      fault('102', 'Award Emoji Not Found'),
    );
    expect(await hers(`${name}.list`, place)).toEqual(await rest(ada, `${path}/award_emoji`));
    expect(await hers(`${name}.list`, ['none', ...place.slice(1)])).toEqual(projectNotFound);

    expect(await his(`${name}.delete`, [...place, id])).toEqual(denied);
    expect(await hers(`${name}.delete`, [...place, id])).toEqual({ result: true });
  });
});
