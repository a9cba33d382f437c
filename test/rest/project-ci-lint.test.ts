import { describe, expect, test } from 'vitest';
import type { TestUser } from '../support/seed.ts';
import { refused } from '../support/shapes.ts';
import { world } from '../support/world.ts';

const { as, seed, root, db } = await world();
const ada = await seed.user('ada');
const dev = await seed.user('dev');
const rep = await seed.user('rep');
const gus = await seed.user('gus');
const eve = await seed.user('eve');
const roles = { developer: dev, reporter: rep, guest: gus };
const { id: app } = await seed.project('ada/app', roles);
const { id: open } = await seed.project('ada/open', {}, { visibility: 'public' });
const { id: empty } = await seed.project('ada/empty');

const file = `
before_script: [setup]
.defaults: &defaults
  tags: [docker]
build:
  <<: *defaults
  script: [make, make check]
  after_script: [clean]
  only: [master, tags]
deploy:
  stage: deploy
  before_script: []
  script: make deploy
  when: manual
  environment: { name: production }
  except: [master]
`;
await seed.push('ada/app', { '.gitlab-ci.yml': file });
await seed.push('ada/open', { 'README.md': 'Open' });
const path = `/projects/${app}/ci/lint`;
const pathOf = (project: number) => `/projects/${project}/ci/lint`;

const build = {
  name: 'build',
  stage: 'test',
  before_script: ['setup'],
  script: ['make', 'make check'],
  after_script: ['clean'],
  tag_list: ['docker'],
  only: { refs: ['master', 'tags'] },
  except: null,
  environment: null,
  when: 'on_success',
  allow_failure: false,
  needs: null,
};
const deploy = {
  name: 'deploy',
  stage: 'deploy',
  before_script: [],
  script: ['make deploy'],
  after_script: [],
  tag_list: [],
  only: { refs: ['branches', 'tags'] },
  except: { refs: ['master'] },
  environment: 'production',
  when: 'manual',
  allow_failure: true,
  needs: null,
};
const merged = `---
before_script:
  - setup
.defaults:
  tags:
    - docker
build:
  tags:
    - docker
  script:
    - make
    - make check
  after_script:
    - clean
  only:
    - master
    - tags
deploy:
  stage: deploy
  before_script: []
  script: make deploy
  when: manual
  environment:
    name: production
  except:
    - master
`;
/** A new branch of the project that differs by one file from the default branch. */
async function branchWith(branch: string, action: string, file_path: string, content: string) {
  const { status } = await as(ada).post(`/projects/${app}/repository/commits`, {
    ...{ branch, start_branch: 'master', commit_message: 'Change a file' },
    actions: [{ action, file_path, content }],
  });
  expect(status).toBe(201);
}

const valid = { valid: true, errors: [], warnings: [], merged_yaml: merged };
const invalid = (error: string) => ({
  status: 200,
  body: { valid: false, errors: [error], warnings: [], merged_yaml: null },
});
const noContent = invalid('Please provide content of .gitlab-ci.yml');

describe('GET /projects/:id/ci/lint', () => {
  test('validates the file of the default branch, with its jobs on request', async () => {
    expect(await as(rep).get(path)).toEqual({ status: 200, body: valid });
    expect(await as(rep).get(`${path}?include_jobs=true`)).toEqual({
      status: 200,
      body: { ...valid, jobs: [build, deploy] },
    });
  });

  test('takes the file of another branch or commit, and at the path of the project', async () => {
    await branchWith('broken', 'update', '.gitlab-ci.yml', 'a: { script: x, foo: 1 }');
    const fault = 'jobs:a config contains unknown keys: foo';
    expect(await as(rep).get(`${path}?content_ref=broken`)).toEqual(invalid(fault));
    expect(await as(rep).get(`${path}?content_ref=nowhere`)).toEqual(refused.missing('Commit'));
    await db.project.update({ where: { id: app }, data: { ciConfigPath: 'ci/other.yml' } });
    expect(await as(rep).get(path)).toEqual(noContent);
    await db.project.update({ where: { id: app }, data: { ciConfigPath: null } });
  });

  test('a project without a file is invalid, one without a commit gives 404', async () => {
    expect(await as(null).get(pathOf(open))).toEqual(noContent);
    expect(await as(ada).get(pathOf(empty))).toEqual(refused.missing('Commit'));
  });

  test('a dry run selects the jobs of the ref and has the errors of a pipeline', async () => {
    const dryRun = (user: TestUser, query: string) => as(user).get(`${path}?dry_run=true&${query}`);
    const unlimited = { only: null, except: null };
    await branchWith('topic', 'create', 'a.txt', 'a');
    expect(await dryRun(dev, 'ref=master')).toEqual(
      invalid("Insufficient permissions for protected ref 'master'"),
    );
    expect(await dryRun(ada, 'include_jobs=1')).toEqual({
      status: 200,
      body: { ...valid, jobs: [{ ...build, ...unlimited }] },
    });
    for (const name of ['ref', 'dry_run_ref']) {
      expect(await dryRun(dev, `include_jobs=1&${name}=topic`)).toEqual({
        status: 200,
        body: { ...valid, jobs: [{ ...deploy, ...unlimited }] },
      });
    }
    expect(await dryRun(dev, 'ref=nowhere')).toEqual(invalid('Reference not found'));
    expect(await dryRun(rep, 'ref=topic')).toEqual(
      invalid('Insufficient permissions to create a new pipeline'),
    );
  });

  test('requires permission to read the code', async () => {
    expect(await as(null).get(path)).toEqual(refused.missing('Project'));
    expect(await as(eve).get(path)).toEqual(refused.missing('Project'));
    expect(await as(gus).get(path)).toEqual(refused.forbidden);
    expect(await as(gus).get(`${path}?dry_run=x`)).toEqual(refused.forbidden);
    expect(await as(rep).get(`${path}?dry_run=x`)).toEqual(refused.parameter('dry_run is invalid'));
    expect((await as(root).get(path)).status).toBe(200);
  });
});

describe('POST /projects/:id/ci/lint', () => {
  test('validates the content', async () => {
    const content = 'a: { script: x }';
    expect(await as(dev).post(path, { content })).toEqual({
      status: 200,
      body: { ...valid, merged_yaml: '---\na:\n  script: x\n' },
    });
    expect(await as(dev).post(path, { content: 'a: {}' })).toEqual(
      invalid("jobs:a script can't be blank"),
    );
    expect(await as(dev).post(path, { content: '' })).toEqual(noContent);
    expect(await as(dev).post(path)).toEqual(refused.parameter('content is missing'));
  });

  test('a dry run without a job for the ref is invalid', async () => {
    const content = 'a: { script: x, only: [tags] }';
    const { status, body } = await as(ada).post(path, { content, dry_run: true });
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        ...valid,
        valid: false,
        errors: ['No stages / jobs for this pipeline.'],
        merged_yaml: '---\na:\n  script: x\n  only:\n    - tags\n',
      },
    });
  });

  test('a dry run creates no pipeline', async () => {
    const content = 'a: { script: x }';
    const { body } = await as(ada).post(pathOf(open), { content, dry_run: true });
    expect(body).toMatchObject({ valid: true, errors: [] });
    expect(await db.pipeline.count({ where: { projectId: open } })).toBe(0);
  });

  test('aliases that repeat much are valid, but not shown merged', async () => {
    const line = 'x'.repeat(1_000);
    const content = [
      `.long: &long ["${Array(100).fill(line).join('","')}"]`,
      ...Array.from({ length: 20 }, (_, index) => `job ${index}: { script: *long }`),
    ].join('\n');
    expect(await as(dev).post(path, { content })).toEqual({
      status: 200,
      body: {
        ...valid,
        warnings: ['The file is too long to be shown merged.'],
        merged_yaml: null,
      },
    });
  });

  test('words of YAML 1.1 stay texts', async () => {
    const content = 'a: { script: "yes", variables: { A: "on", B: "010", C: "1:30" } }';
    const { body } = await as(dev).post(path, { content });
    const again = (body as { readonly merged_yaml: string }).merged_yaml;
    expect((await as(dev).post(path, { content: again })).body).toEqual(body);
    expect(again).toBe(
      '---\na:\n  script: "yes"\n  variables:\n    A: "on"\n    B: "010"\n    C: "1:30"\n',
    );
  });

  test('requires permission to create pipelines', async () => {
    const body = { content: 'a: { script: x }' };
    expect(await as(null).post(path, body)).toEqual(refused.anonymous);
    expect(await as(eve).post(path, body)).toEqual(refused.missing('Project'));
    expect(await as(gus).post(path, body)).toEqual(refused.forbidden);
    expect(await as(rep).post(path, body)).toEqual(refused.forbidden);
    expect((await as(root).post(path, body)).status).toBe(200);
  });
});
