import type { TestUser } from './seed.ts';
import type { World } from './world.ts';

/** A group with one record of every kind that has a page. */
export interface HostedProject {
  readonly owner: TestUser;
  /** The full path of the project with these records. */
  readonly project: string;
  readonly projectId: number;
  /** The commit of `master`. */
  readonly sha: string;
  readonly issue: number;
  readonly mergeRequest: number;
  readonly snippet: number;
  readonly personalSnippet: number;
}

const readme = `# The app

Read [the guide](docs/guide.md), or [the source](lib/main.ts#L2). ![A dot](dot.png)

1. Clone it.
2. Run it.

\`\`\`sh
npm start -- --with-everything --that-makes --a-line --longer-than --any-narrow-window --can-show
\`\`\`

| Part | What it does |
| ---- | ------------ |
| lib  | everything   |
`;

/** One transparent pixel. */
export const onePixelPng = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

/** Creates a project in a public group, with one record of each kind. */
export async function hostedProject({ as, seed }: World): Promise<HostedProject> {
  const owner = await seed.user('ada');
  const publicOptions = { visibility: 'public' };
  await seed.group('acme', { owner }, { ...publicOptions, description: 'All that **Acme** makes' });
  await seed.group('acme/tools', {}, publicOptions);
  const project = 'acme/tools/app';
  const description = 'An app for [all users](https://example.com/app)';
  const { id } = await seed.project(
    project,
    {},
    {
      ...publicOptions,
      description,
      snippets_enabled: true,
    },
  );
  const sha = await seed.push(project, {
    'README.md': readme,
    'docs/guide.md': '# Guide\n\nBack to [the app](../README.md).\n',
    'lib/main.ts': "import { run } from './run.ts';\n\nrun();\n",
    'dot.png': onePixelPng,
    'archive.bin': Buffer.from([0, 1, 2, 3]),
  });
  const at = `/projects/${id}`;
  const ada = as(owner);
  const create = async (path: string, body: Record<string, unknown>) => {
    const response = await ada.post(path, body);
    if (response.status !== 201) throw new Error(`${path}: ${JSON.stringify(response)}`);
    return response.body as { readonly id: number; readonly iid: number };
  };
  await create(`${at}/repository/branches`, { branch: 'feature/x', ref: 'master' });
  await create(`${at}/repository/files/lib%2Frun.ts`, {
    branch: 'feature/x',
    content: 'export const run = () => {};\n',
    commit_message: 'Run it\n\nIt did nothing so far.',
  });
  await create(`${at}/repository/tags`, {
    tag_name: 'v1.0',
    ref: 'master',
    message: 'The first',
    release_description: 'It *works*.',
  });
  await create(`${at}/wikis`, { title: 'home', content: 'See [the rest](other/page).' });
  await create(`${at}/wikis`, { title: 'other/page', content: 'The rest.' });
  await create(`${at}/labels`, { name: 'urgent', color: '#ff0000' });
  const issue = await create(`${at}/issues`, {
    title: 'It is slow',
    description: 'See `lib/main.ts`.',
    labels: 'urgent',
  });
  await create(`${at}/issues/${issue.iid}/notes`, { body: 'It *is*.' });
  const mergeRequest = await create(`${at}/merge_requests`, {
    source_branch: 'feature/x',
    target_branch: 'master',
    title: 'Run',
    description: 'It runs.',
  });
  await create(`${at}/merge_requests/${mergeRequest.iid}/notes`, { body: 'Does it?' });
  const snippetFields = { title: 'A piece', file_name: 'a.ts', visibility: 'public' };
  const snippet = await create(`${at}/snippets`, { ...snippetFields, code: 'run();\n' });
  const personal = await create('/snippets', { ...snippetFields, content: 'stop();\n' });
  return {
    owner,
    project,
    projectId: id,
    sha,
    issue: issue.iid,
    mergeRequest: mergeRequest.iid,
    snippet: snippet.id,
    personalSnippet: personal.id,
  };
}
