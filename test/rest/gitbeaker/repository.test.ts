import { describe, expect, test } from 'vitest';
import { withoutEndpoint } from '../../fixtures/without-endpoint.ts';
import { methodsOf, recordedClient } from '../../support/gitbeaker.ts';
import { initialCommitShape } from '../../support/shapes.ts';
import { world } from '../../support/world.ts';

const { seed, url } = await world();
const ada = await seed.user('ada');
const { client, called } = recordedClient(url, ada.token);

const { id } = await seed.project('ada/app');
const first = await seed.push('ada/app', { 'README.md': '# App\n' });
const initial = initialCommitShape(first);

describe('Tags', () => {
  test('are created, shown, listed and removed', async () => {
    const { Tags } = client;
    const plain = { name: 'v1.0', message: null, protected: false, commit: initial, release: null };
    expect(await Tags.create(id, 'v1.0', 'master')).toEqual(plain);
    const annotated = { ...plain, name: 'v/2', message: 'Two' };
    expect(await Tags.create('ada/app', 'v/2', first, { message: 'Two' })).toEqual(annotated);
    expect(await Tags.show(id, 'v/2')).toEqual(annotated);
    expect(await Tags.all(id)).toEqual([plain, annotated]);
    await expect(Tags.create(id, 'v1.0', 'master')).rejects.toThrow('Tag v1.0 already exists');
    await Tags.remove(id, 'v/2');
    expect(await Tags.all(id)).toEqual([plain]);
    await expect(Tags.show(id, 'v/2')).rejects.toThrow('404 Tag Not Found');
  });
});

describe('Branches', () => {
  test('are created, shown, listed and removed', async () => {
    const { Branches } = client;
    const { id: branched } = await seed.project('ada/branched');
    const sha = await seed.push('ada/branched', { 'README.md': '# App\n' });
    const branchShape = (name: string, isProtected = false) => ({
      name,
      commit: { ...initial, id: sha, short_id: sha.slice(0, 8) },
      merged: false,
      protected: isProtected,
      developers_can_push: false,
      developers_can_merge: false,
    });
    expect(await Branches.create(branched, 'feature/x', 'master')).toEqual(
      branchShape('feature/x'),
    );
    expect(await Branches.show('ada/branched', 'feature/x')).toEqual(branchShape('feature/x'));
    expect(await Branches.all(branched)).toEqual([
      branchShape('feature/x'),
      branchShape('master', true),
    ]);
    expect(await Branches.all(branched, { search: 'FEAT' })).toEqual([branchShape('feature/x')]);
    await expect(Branches.create(branched, 'master', sha)).rejects.toThrow('Branch already exists');
    await Branches.remove(branched, 'feature/x');
    await expect(Branches.show(branched, 'feature/x')).rejects.toThrow('404 Branch Not Found');
    expect(await Branches.removeMerged(branched)).toEqual({ message: '202 Accepted' });
    expect(await Branches.all(branched)).toEqual([branchShape('master', true)]);
  });
});

describe('ProtectedTags', () => {
  test('are created, shown, listed and removed', async () => {
    const { ProtectedTags } = client;
    const level = { access_level: 30, access_level_description: 'Developers + Masters' };
    const rule = { name: 'v*', create_access_levels: [level] };
    expect(await ProtectedTags.create(id, 'v*', { createAccessLevel: 30 })).toEqual(rule);
    expect(await ProtectedTags.show(id, 'v*')).toEqual(rule);
    expect(await ProtectedTags.all(id)).toEqual([rule]);
    await ProtectedTags.unprotect(id, 'v*');
    await ProtectedTags.protect(id, 'v*');
    await ProtectedTags.remove(id, 'v*');
    expect(await ProtectedTags.all(id)).toEqual([]);
  });
});

describe('ProtectedBranches', () => {
  test('are created, shown, listed and removed', async () => {
    const { ProtectedBranches } = client;
    const masters = [{ access_level: 40, access_level_description: 'Masters' }];
    const developers = [{ access_level: 30, access_level_description: 'Developers + Masters' }];
    const rule = { push_access_levels: masters, merge_access_levels: masters };
    const { id: guarded } = await seed.project('ada/guarded');
    expect(await ProtectedBranches.create(guarded, 'stable/*', { mergeAccessLevel: 30 })).toEqual({
      ...rule,
      name: 'stable/*',
      merge_access_levels: developers,
    });
    expect(await ProtectedBranches.protect(guarded, 'work')).toEqual({ ...rule, name: 'work' });
    expect(await ProtectedBranches.show(guarded, 'work')).toEqual({ ...rule, name: 'work' });
    await ProtectedBranches.unprotect(guarded, 'stable/*');
    expect(await ProtectedBranches.all(guarded)).toEqual([{ ...rule, name: 'work' }]);
    await ProtectedBranches.remove(guarded, 'work');
    await expect(ProtectedBranches.show(guarded, 'work')).rejects.toThrow('404 Not found');
  });
});

describe('ProjectReleases and ReleaseLinks', () => {
  test('are created, shown, listed, changed and removed', async () => {
    const { ProjectReleases, ReleaseLinks } = client;
    const release = await ProjectReleases.create(id, {
      tag_name: 'r/1',
      ref: 'master',
      name: 'One',
      description: 'First',
      assets: { links: [{ name: 'app', url: 'https://files.example/app' }] },
    });
    expect(release).toMatchObject({ tag_name: 'r/1', name: 'One', assets: { count: 5 } });
    expect(await ProjectReleases.show(id, 'r/1')).toEqual(release);
    expect(await ProjectReleases.all(id)).toEqual([release]);
    const changed = await ProjectReleases.edit(id, 'r/1', { name: 'Uno' });
    expect(changed).toEqual({ ...release, name: 'Uno' });

    const link = await ReleaseLinks.create(id, 'r/1', 'guide', 'https://files.example/guide', {
      directAssetPath: '/guide.md',
      linkType: 'runbook',
    });
    expect(link).toMatchObject({ direct_asset_path: '/guide.md', link_type: 'runbook' });
    expect(await ReleaseLinks.show(id, 'r/1', link.id)).toEqual(link);
    const renamed = await ReleaseLinks.edit(id, 'r/1', link.id, { name: 'manual' });
    expect(renamed).toEqual({ ...link, name: 'manual' });
    const links = await ReleaseLinks.all(id, 'r/1');
    expect(links.map(({ name }) => name)).toEqual(['manual', 'app']);
    await ReleaseLinks.remove(id, 'r/1', link.id);
    await expect(ReleaseLinks.show(id, 'r/1', link.id)).rejects.toThrow('404 Link Not Found');

    await ProjectReleases.remove(id, 'r/1');
    await expect(ProjectReleases.show(id, 'r/1')).rejects.toThrow('404 Release Not Found');
  });

  test('a file is downloaded by its permanent address', async () => {
    const { ProjectReleases } = client;
    const target = `${url}/api/v4/projects/${id}/repository/blobs/${first}/raw?filepath=README.md`;
    await ProjectReleases.create(id, {
      tag_name: 'r/2',
      ref: 'master',
      assets: { links: [{ name: 'readme', url: target, direct_asset_path: '/docs/README.md' }] },
    });
    expect(await ProjectReleases.download(id, 'r/2', 'docs/README.md')).toBe('# App\n');
    expect(await ProjectReleases.downloadLatest(id, 'docs/README.md')).toBe('# App\n');
    expect(await ProjectReleases.showLatest(id)).toMatchObject({ tag_name: 'r/2' });
  });
});

test.each([
  'Tags',
  'ProtectedTags',
  'Branches',
  'ProtectedBranches',
  'ProjectReleases',
  'ReleaseLinks',
])('every method of %s was called, or has no endpoint in Millrace', (resource) => {
  const missing = methodsOf(client, resource).filter((method) => !called.has(method));
  expect(missing).toEqual(missing.filter((method) => method in withoutEndpoint));
  const listed = Object.keys(withoutEndpoint).filter((method) => called.has(method));
  expect(listed).toEqual([]);
});
