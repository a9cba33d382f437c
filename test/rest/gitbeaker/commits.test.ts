import { describe, expect, test } from 'vitest';
import { withoutEndpoint } from '../../fixtures/without-endpoint.ts';
import { methodsOf, recordedClient } from '../../support/gitbeaker.ts';
import { basicUserShape, initialCommitShape, instant } from '../../support/shapes.ts';
import { world } from '../../support/world.ts';

const { seed, url } = await world();
const ada = await seed.user('ada');
const { client, called } = recordedClient(url, ada.token);
const { Commits } = client;

const { id } = await seed.project('ada/app');
const first = await seed.push('ada/app', { 'README.md': '# App\n' });
const initial = initialCommitShape(first);
const author = basicUserShape(url, ada);

describe('Commits', () => {
  test('are listed, filtered by branch, path and time', async () => {
    const since = '2017-01-01T00:00:00Z';
    const until = '2018-01-01T00:00:00Z';
    expect(await Commits.all(id)).toEqual([initial]);
    const options = { refName: 'master', path: 'README.md', since, until, all: false };
    expect(await Commits.all(id, options)).toEqual([initial]);
    expect(await Commits.all(id, { since: until })).toEqual([]);
  });

  test('are shown with and without statistics', async () => {
    const rest = { ...initial, status: null, last_pipeline: null };
    expect(await Commits.show(id, first)).toEqual({
      ...rest,
      stats: { additions: 1, deletions: 0, total: 1 },
    });
    expect(await Commits.show(id, 'master', { stats: false })).toEqual(rest);
    await expect(Commits.show(id, 'nothing')).rejects.toThrow('404 Commit Not Found');
  });

  test('have references', async () => {
    expect(await Commits.allReferences(id, first, { type: 'branch' })).toEqual([
      { type: 'branch', name: 'master' },
    ]);
  });

  test('are reverted', async () => {
    await Commits.create(
      id,
      'undone',
      'More',
      [{ action: 'create', filePath: 'more.txt', content: 'more' }],
      { startBranch: 'master' },
    );
    expect(await Commits.revert(id, 'undone', 'undone')).toMatchObject({ title: 'Revert "More"' });
    await expect(Commits.revert(id, first, 'none')).rejects.toThrow('404 Branch Not Found');
  });

  test('have a diff', async () => {
    expect(await Commits.showDiff(id, first)).toEqual([
      {
        old_path: 'README.md',
        new_path: 'README.md',
        a_mode: '0',
        b_mode: '100644',
        new_file: true,
        renamed_file: false,
        deleted_file: false,
        diff: '--- /dev/null\n+++ b/README.md\n@@ -0,0 +1 @@\n+# App\n',
      },
    ]);
  });

  test('have comments', async () => {
    const place = { path: 'README.md', line: 1 };
    const comment = { note: 'Good.', ...place, line_type: 'new', author, created_at: instant };
    const options = { ...place, lineType: 'new' };
    expect(await Commits.createComment(id, first, 'Good.', options)).toEqual(comment);
    expect(await Commits.allComments(id, first)).toEqual([comment]);
    expect(await Commits.allMergeRequests(id, first)).toEqual([]);
  });

  test('have discussions', async () => {
    const [discussion] = await Commits.allDiscussions(id, first);
    expect(discussion).toMatchObject({ individual_note: false, notes: [{ body: 'Good.' }] });
  });

  test('have statuses', async () => {
    const status = {
      id: expect.any(Number),
      sha: first,
      ref: 'master',
      status: 'success',
      name: 'lint',
      target_url: 'https://ci.example/1',
      description: 'All is well',
      created_at: instant,
      started_at: null,
      finished_at: instant,
      allow_failure: false,
      coverage: 99.5,
      author,
    };
    const options = {
      ref: 'master',
      name: 'lint',
      targetUrl: 'https://ci.example/1',
      description: 'All is well',
      coverage: 99.5,
    };
    expect(await Commits.editStatus(id, first, 'success', options)).toEqual(status);
    expect(await Commits.allStatuses(id, first)).toEqual([status]);
    expect(await Commits.allStatuses(id, first, { name: 'build', all: true })).toEqual([]);
    expect(await Commits.show(id, first, { stats: false })).toMatchObject({ status: 'success' });
  });

  test('are created and cherry-picked', async () => {
    const actions = [{ action: 'create' as const, filePath: 'a.txt', content: 'a' }];
    const created = await Commits.create(id, 'topic', 'On a topic', actions, {
      startBranch: 'master',
    });
    const picked = await Commits.cherryPick(id, created.id, 'master');
    expect(await Commits.all(id, { perPage: 1, maxPages: 1 })).toEqual([
      expect.objectContaining({ id: picked.id, title: 'On a topic', parent_ids: [first] }),
    ]);
  });

  test('every method was called, or has no endpoint in Millrace', () => {
    const missing = methodsOf(client, 'Commits').filter((method) => !called.has(method));
    expect(missing).toEqual(missing.filter((method) => method in withoutEndpoint));
    const listed = Object.keys(withoutEndpoint).filter((method) => called.has(method));
    expect(listed).toEqual([]);
  });
});
