import { expect, test } from 'vitest';
import { readMergeRequestOptions } from '../../schema/pushes/merge-request-options.ts';
import { readPushOptions } from '../../schema/pushes/options.ts';

const secrets = {
  seal: (text: string) => `sealed ${text}`,
  open: (sealed: string) => sealed.slice('sealed '.length),
};

const read = (options: readonly string[], isOfUser = true) =>
  readPushOptions(options, { isOfUser }, { secrets } as never);

test.each([
  [[], { warnings: [] }],
  [['x', 'ci.skipped', ''], { options: {}, warnings: [] }],
  [['ci.skip'], { options: { skipsCi: true }, warnings: [] }],
  [
    ['ci.variable=A=1', 'ci.variable=A=2=3'],
    { options: { sealedVariables: 'sealed {"A":"2=3"}' } },
  ],
  [['ci.variable=__proto__=1'], { warnings: [] }],
  [['ci.variable=A b=1'], { options: {}, warnings: [expect.stringContaining('A b can contain')] }],
  [['ci.variable'], { options: {}, warnings: [] }],
  [['merge_request.create', 'x'], { options: { mergeRequest: ['merge_request.create'] } }],
  [Array(101).fill('x'), { refusal: 'A push has at most 100 options.' }],
  [['x'.repeat(65_537)], { refusal: expect.stringContaining('at most 65536 characters') }],
])('options %j', (options, expected) => {
  expect(read(options)).toMatchObject(expected);
});

test('a deploy key has no options about merge requests', () => {
  expect(read(['merge_request.create', 'ci.skip'], false)).toEqual({
    options: { skipsCi: true },
    warnings: ['A deploy key cannot change merge requests.'],
  });
});

const none = {
  creates: false,
  labels: [],
  removedLabels: [],
  isDraft: false,
  removesSourceBranch: false,
  mergesWhenPipelineSucceeds: false,
};

test.each([
  [['merge_request.title'], {}],
  [['merge_request.title= '], {}],
  [['merge_request.title=a', 'merge_request.title= b=c '], { title: 'b=c' }],
  [['merge_request.description=a\\nb'], { description: 'a\nb' }],
  [['merge_request.label=a', 'merge_request.label=b'], { labels: ['a', 'b'] }],
  [['merge_request.unlabel=a'], { removedLabels: ['a'] }],
  [['merge_request.create', 'merge_request.draft'], { creates: true, isDraft: true }],
  [['merge_request.assign=@ada'], { assignee: 'ada' }],
  [['merge_request.unassign=3'], { removedAssignee: '3' }],
  [['merge_request.constructor=1', 'merge_request.target=b'], { targetBranch: 'b' }],
])('merge request options %j', (options, expected) => {
  expect(readMergeRequestOptions(options)).toEqual({ ...none, ...expected });
});
