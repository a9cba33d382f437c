import { expect, test } from 'vitest';
import { testPayload } from '../../schema/hooks/deliveries.ts';
import { expectDocumented } from '../support/contract/webhooks.ts';
import { world } from '../support/world.ts';

const { as, seed, root, url, db } = await world();
const ada = await seed.user('ada');
const { id } = await seed.project('ada/app', {}, { visibility: 'public' });
const project = `/projects/${id}`;

interface Webhook {
  readonly post: {
    readonly parameters: readonly { readonly schema: { readonly enum?: readonly string[] } }[];
  };
}

const document = (await (await fetch(`${url}/api/v4/openapi.json`)).json()) as {
  readonly webhooks: Readonly<Record<string, Webhook>>;
};

/** All values of `X-Gitlab-Event` in the OpenAPI document. */
const documented = Object.values(document.webhooks).flatMap(({ post }) =>
  post.parameters.flatMap(({ schema }) => schema.enum ?? []),
);

/** Creates something as Ada; gives its numbers. */
async function create(path: string, input: Readonly<Record<string, unknown>>) {
  const { status, body } = await as(ada).post(path, input);
  expect([status, body]).toEqual([201, expect.anything()]);
  return body as { readonly id: number; readonly iid: number };
}

test('each documented event is sent, with the payload that the document describes', async () => {
  // no server listens there: the stored deliveries are compared when the file ends
  const hookUrl = 'http://192.0.2.1/';
  await db.webHook.create({
    data: {
      ...{
        projectId: id,
        url: hookUrl,
        onPush: true,
        onTagPush: true,
        onIssue: true,
        onNote: true,
      },
      ...{ onConfidentialIssue: true, onMergeRequest: true, onWikiPage: true, onPipeline: true },
      ...{ onJob: true, onRepositoryUpdate: true },
    },
  });
  await seed.push('ada/app', { '.gitlab-ci.yml': 'unit: { script: test }', 'a.txt': 'a' });
  await create(`${project}/repository/branches`, { branch: 'topic', ref: 'master' });
  await create(`${project}/repository/tags`, { tag_name: 'v1', ref: 'master', message: 'First' });
  await create(`${project}/repository/files/b.txt`, {
    ...{ branch: 'topic', content: 'b', commit_message: 'Add b' },
  });
  const issue = await create(`${project}/issues`, {
    title: 'It',
    labels: 'bug',
    due_date: '2026-12-01',
  });
  await as(ada).put(`${project}/issues/${issue.iid}`, { title: 'Other', assignee_ids: [ada.id] });
  const secret = await create(`${project}/issues`, { title: 'Secret', confidential: true });
  const request = await create(`${project}/merge_requests`, {
    ...{ title: 'Merge', source_branch: 'topic', target_branch: 'master', labels: 'bug' },
  });
  await as(ada).put(`${project}/merge_requests/${request.iid}`, { assignee_id: ada.id });
  const snippet = await create(`${project}/snippets`, {
    ...{ title: 'Code', file_name: 'a.rb', code: 'puts 1', visibility: 'public' },
  });
  for (const noteable of [
    `issues/${issue.iid}`,
    `issues/${secret.iid}`,
    `merge_requests/${request.iid}`,
    `snippets/${snippet.id}`,
  ]) {
    await create(`${project}/${noteable}/notes`, { body: 'Why?' });
  }
  await create(`${project}/wikis`, { title: 'Home', content: 'Welcome' });
  const hook = await db.webHook.create({ data: { url: hookUrl } });
  await as(root).get(`/hooks/${hook.id}`);

  const sentEvents = async () => {
    const rows = await db.hookDelivery.findMany({ distinct: ['event'], select: { event: true } });
    return rows.map(({ event }) => event).toSorted();
  };
  await expect.poll(sentEvents).toEqual([...new Set(documented)].toSorted());
});

test('the comparison finds an undocumented, a missing and a wrong field', () => {
  const { name: _, ...missing } = testPayload;
  for (const payload of [
    { ...testPayload, more: 1 },
    missing,
    { ...testPayload, project_id: '1' },
  ]) {
    expect(() => expectDocumented([{ event: 'System Hook', payload }])).toThrow();
  }
});
