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
const asAda = soap.as(ada);
const asBob = soap.as(bob);
const rest = restOf(as);
const acme = await seed.group('acme', { owner: ada, reporter: bob });
const { id: app } = await seed.project('acme/app', {}, { snippets_enabled: true });
const branches = [
  'topic',
  'created',
  'changed',
  'deleted',
  'subscribed',
  'long',
  'merged',
  'rebased',
  'waiting',
];
const commits = await pushBranches(remote('acme/app', root), branches);

const inProject = `/projects/${app}`;
const path = `${inProject}/merge_requests`;
const create = creatorOf(as(ada));
/** As changes respond with it: only a single one that is read shows these two fields. */
const restMergeRequest = async (iid: number) => {
  const { result } = await rest(ada, `${path}/${iid}`);
  const { diff_refs: _, pipeline: __, ...changed } = result as Record<string, unknown>;
  return { result: changed };
};
/** Creates a merge request and reads it once, which computes its merge status. */
const createMergeRequest = async (source_branch: string, more: Record<string, unknown> = {}) => {
  const input = { source_branch, target_branch: 'master', title: source_branch, ...more };
  const { iid } = await create(path, input);
  await restMergeRequest(iid);
  return iid;
};

const issue = await create(`${inProject}/issues`, { title: 'It' });
const topic = await createMergeRequest('topic', {
  description: `Closes #${issue.iid}`,
  labels: 'bug',
});
const topicPath = `${path}/${topic}`;

test('merge_request.approve and .unapprove', async () => {
  const approved = await asAda('merge_request.approve', [app, topic]);
  expect(approved).toEqual(await rest(ada, `${topicPath}/approvals`));
  expect(approved.result).toMatchObject({ approved: true, user_has_approved: true });
  expect(await asBob('merge_request.approve', [app, topic])).toEqual(denied);
  const withdrawn = await asAda('merge_request.unapprove', [app, topic]);
  expect(withdrawn).toEqual(await rest(ada, `${topicPath}/approvals`));
  expect(withdrawn.result).toMatchObject({ approved: false, user_has_approved: false });
  expect(await asAda('merge_request.unapprove', [app, topic])).toEqual(recordNotFound);
});

test('merge_request.pipelines', async () => {
  expect(await asAda('merge_request.pipelines', [app, topic])).toEqual({ result: [] });
  expect(await asAda('merge_request.pipelines', [app, 99])).toEqual(recordNotFound);
});

test('merge_request.create_pipeline', async () => {
  expect(await asAda('merge_request.create_pipeline', [app, topic])).toEqual(
    fault('100', 'base Missing .gitlab-ci.yml file'),
  );
  expect(await asBob('merge_request.create_pipeline', [app, topic])).toEqual(denied);
});

test('merge_request.version', async () => {
  const { result } = await rest(ada, `${topicPath}/versions`);
  const [{ id }] = result as [{ readonly id: number }];
  const shown = await asAda('merge_request.version', [app, topic, id]);
  expect(shown).toEqual(await rest(ada, `${topicPath}/versions/${id}`));
  expect(await asAda('merge_request.version', [app, topic, 0])).toEqual(recordNotFound);
});

describe('results equal those of REST', () => {
  const projectMissing = { invalidArgs: ['none', 1], expectedFault: projectNotFound };

  test.each<{
    method: string;
    args: unknown;
    path: string;
    invalidArgs: unknown;
    expectedFault: unknown;
  }>([
    {
      method: 'list',
      args: [{ scope: 'all', labels: 'bug', per_page: '5' }],
      path: '/merge_requests?scope=all&labels=bug',
      invalidArgs: [{ state: 'odd' }],
      expectedFault: fault('101', 'state does not have a valid value'),
    },
    {
      method: 'list_of_group',
      args: ['acme', { labels: 'bug', view: 'simple' }],
      path: `/groups/${acme.id}/merge_requests?labels=bug&view=simple`,
      invalidArgs: 'none',
      expectedFault: groupNotFound,
    },
    {
      method: 'list_of_project',
      args: [app, { iids: [String(topic)] }],
      path: `${path}?iids[]=${topic}`,
      invalidArgs: [app, { iids: ['x'] }],
      expectedFault: fault('101', 'iids is invalid'),
    },
    {
      method: 'info',
      args: { id: 'acme/app', merge_request_iid: String(topic) },
      path: topicPath,
      invalidArgs: [app, 99],
      expectedFault: recordNotFound,
    },
    { method: 'commits', args: [app, topic], path: `${topicPath}/commits`, ...projectMissing },
    { method: 'changes', args: [app, topic], path: `${topicPath}/changes`, ...projectMissing },
    { method: 'merge_ref', args: [app, topic], path: `${topicPath}/merge_ref`, ...projectMissing },
    { method: 'versions', args: [app, topic], path: `${topicPath}/versions`, ...projectMissing },
    { method: 'approvals', args: [app, topic], path: `${topicPath}/approvals`, ...projectMissing },
    {
      method: 'participants',
      args: [app, topic],
      path: `${topicPath}/participants`,
      ...projectMissing,
    },
    {
      method: 'closes_issues',
      args: [app, topic],
      path: `${topicPath}/closes_issues`,
      ...projectMissing,
    },
    {
      method: 'time_stats',
      args: [app, topic],
      path: `${topicPath}/time_stats`,
      ...projectMissing,
    },
  ])('merge_request.$method', async ({ method, args, path, invalidArgs, expectedFault }) => {
    const response = await asAda(`merge_request.${method}`, args);
    expect(response).toEqual(await rest(ada, path));
    if (Array.isArray(response.result)) expect(response.result).toHaveLength(1);
    expect(await asAda(`merge_request.${method}`, invalidArgs)).toEqual(expectedFault);
  });
});

describe('merge_request', () => {
  test('create', async () => {
    const input = { source_branch: 'created', target_branch: 'master', title: 'Größer' };
    const response = await asAda('merge_request.create', [app, input]);
    const { result } = await restMergeRequest((response.result as CreatedIssue).iid);
    expect(response.result).toEqual({ ...(result as object), merge_status: 'unchecked' });
    expect(response.result).toMatchObject(input);
    expect(await asAda('merge_request.create', [app, input])).toMatchObject({
      fault: { code: '104' },
    });
  });

  test('update', async () => {
    const iid = await createMergeRequest('changed');
    const change = { title: 'Other', labels: ['a', 'b'], discussion_locked: 'true' };
    const response = await asAda('merge_request.update', [app, iid, change]);
    expect(response.result).toMatchObject({ ...change, discussion_locked: true });
    expect(response).toEqual(await restMergeRequest(iid));
    expect(await asBob('merge_request.update', [app, iid, change])).toEqual(denied);
  });

  test('delete', async () => {
    const iid = await createMergeRequest('deleted');
    expect(await asBob('merge_request.delete', [app, iid])).toEqual(denied);
    expect(await asAda('merge_request.delete', [app, iid])).toEqual({ result: true });
  });

  test('subscribe and unsubscribe', async () => {
    const iid = await createMergeRequest('subscribed');
    for (const [verb, subscribed] of [
      ['unsubscribe', false],
      ['subscribe', true],
    ] as const) {
      const response = await asAda(`merge_request.${verb}`, [app, iid]);
      expect(response.result).toMatchObject({ subscribed });
      expect(response).toEqual(await restMergeRequest(iid));
      expect(await asAda(`merge_request.${verb}`, [app, iid])).toEqual({ result: null });
      expect(await asAda(`merge_request.${verb}`, [app, 99])).toEqual(recordNotFound);
    }
  });

  test('time tracking', async () => {
    const iid = await createMergeRequest('long');
    for (const [verb, more, stats] of [
      ['time_estimate', [{ duration: '3h 30m' }], { time_estimate: 12_600 }],
      ['add_spent_time', [{ duration: '1h' }], { total_time_spent: 3_600 }],
      ['reset_time_estimate', [], { time_estimate: 0 }],
      ['reset_spent_time', [], { total_time_spent: 0 }],
    ] as const) {
      const response = await asAda(`merge_request.${verb}`, [app, iid, ...more]);
      expect(response.result).toMatchObject(stats);
      expect(response).toEqual(await rest(ada, `${path}/${iid}/time_stats`));
      expect(await asAda(`merge_request.${verb}`, ['none', iid, ...more])).toEqual(projectNotFound);
    }
  });

  test('merge', async () => {
    const iid = await createMergeRequest('merged');
    expect(await asBob('merge_request.merge', [app, iid])).toEqual(denied);
    const input = { merge_commit_message: 'Join', sha: commits.get('merged') };
    const response = await asAda('merge_request.merge', [app, iid, input]);
    expect(response.result).toMatchObject({ state: 'merged' });
    expect(response).toEqual(await restMergeRequest(iid));
    expect(await asAda('merge_request.merge', [app, iid])).toEqual(
      fault('104', 'Method Not Allowed'),
    );
  });

  test('rebase', async () => {
    const iid = await createMergeRequest('rebased');
    expect(await asBob('merge_request.rebase', [app, iid])).toEqual(
      fault('2', 'Access denied. Cannot push to source branch'),
    );
    expect(await asAda('merge_request.rebase', [app, iid])).toEqual({
      result: { rebase_in_progress: true },
    });
  });

  test('cancel_merge_when_pipeline_succeeds', async () => {
    const iid = await createMergeRequest('waiting');
    const status = { state: 'running', name: 'ci', ref: 'waiting' };
    await create(`${inProject}/statuses/${commits.get('waiting')}`, status);
    const options = { merge_when_pipeline_succeeds: '1' };
    const waiting = await asAda('merge_request.merge', [app, iid, options]);
    expect(waiting.result).toMatchObject({ state: 'opened', merge_when_pipeline_succeeds: true });
    const cancel = 'merge_request.cancel_merge_when_pipeline_succeeds';
    const response = await asAda(cancel, [app, iid]);
    expect(response.result).toMatchObject({ merge_when_pipeline_succeeds: false });
    expect(response).toEqual(await restMergeRequest(iid));
    expect(await asAda(cancel, [app, iid])).toEqual(
      fault('104', "Can't cancel the automatic merge"),
    );
  });
});

describe('award emoji', () => {
  const kinds = { issue: 'issues', merge_request: 'merge_requests', snippet: 'snippets' } as const;
  const input = { title: 'It', file_name: 'a.txt', code: 'a', visibility: 'private' };
  const numberOf = async (kind: keyof typeof kinds) => {
    if (kind === 'snippet') return (await create(`${inProject}/snippets`, input)).id;
    return kind === 'issue' ? issue.iid : topic;
  };
  const awardable = async (kind: keyof typeof kinds, on: string) => {
    const number = await numberOf(kind);
    const path = `${inProject}/${kinds[kind]}/${number}`;
    if (on === 'record') return { path, ids: [app, number] };
    const { id } = await create(`${path}/notes`, { body: 'Said' });
    return { path: `${path}/notes/${id}`, ids: [app, number, id] };
  };

  test.each([
    { kind: 'issue', on: 'record', name: 'issue_award_emoji' },
    { kind: 'issue', on: 'note', name: 'issue_note_award_emoji' },
    { kind: 'merge_request', on: 'record', name: 'merge_request_award_emoji' },
    { kind: 'merge_request', on: 'note', name: 'merge_request_note_award_emoji' },
    { kind: 'snippet', on: 'record', name: 'snippet_award_emoji' },
    { kind: 'snippet', on: 'note', name: 'snippet_note_award_emoji' },
  ] as const)('$name', async ({ kind, on, name }) => {
    const { path, ids } = await awardable(kind, on);
    const response = await asAda(`${name}.create`, [...ids, { name: 'tada' }]);
    expect(response.result).toMatchObject({ name: 'tada', user: { username: 'ada' } });
    const { id } = response.result as CreatedIssue;
    expect(response).toEqual(await rest(ada, `${path}/award_emoji/${id}`));
    expect(await asAda(`${name}.create`, ids)).toEqual(fault('100', 'name is missing'));

    expect(await asAda(`${name}.info`, [...ids, id])).toEqual(response);
    expect(await asAda(`${name}.info`, [...ids, 0])).toEqual(fault('102', 'Award Emoji Not Found'));
    expect(await asAda(`${name}.list`, ids)).toEqual(await rest(ada, `${path}/award_emoji`));
    expect(await asAda(`${name}.list`, ['none', ...ids.slice(1)])).toEqual(projectNotFound);

    expect(await asBob(`${name}.delete`, [...ids, id])).toEqual(denied);
    expect(await asAda(`${name}.delete`, [...ids, id])).toEqual({ result: true });
  });
});
