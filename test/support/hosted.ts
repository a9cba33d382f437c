import type { Person } from './seed.ts';
import type { World } from './world.ts';

/** Somebody's group with one of everything that has a page. */
export interface Hosted {
  readonly owner: Person;
  /** The full path of the project that has it all. */
  readonly project: string;
  readonly projectId: number;
  /** What `master` leads to. */
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
export const dot = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

/** Makes a project of a public group, and in it one of everything. */
export async function hosted({ as, seed }: World): Promise<Hosted> {
  const owner = await seed.user('ada');
  const open = { visibility: 'public' };
  await seed.group('acme', { owner }, { ...open, description: 'All that **Acme** makes' });
  await seed.group('acme/tools', {}, open);
  const project = 'acme/tools/app';
  const description = 'An app for [everybody](https://example.com/app)';
  const { id } = await seed.project(
    project,
    {},
    {
      ...open,
      description,
      snippets_enabled: true,
    },
  );
  const sha = await seed.push(project, {
    'README.md': readme,
    'docs/guide.md': '# Guide\n\nBack to [the app](../README.md).\n',
    'lib/main.ts': "import { run } from './run.ts';\n\nrun();\n",
    'dot.png': dot,
    'archive.bin': Buffer.from([0, 1, 2, 3]),
  });
  const at = `/projects/${id}`;
  const ada = as(owner);
  const made = async (path: string, body: Record<string, unknown>) => {
    const answer = await ada.post(path, body);
    if (answer.status !== 201) throw new Error(`${path}: ${JSON.stringify(answer)}`);
    return answer.body as { readonly id: number; readonly iid: number };
  };
  await made(`${at}/repository/branches`, { branch: 'feature/x', ref: 'master' });
  await made(`${at}/repository/files/lib%2Frun.ts`, {
    branch: 'feature/x',
    content: 'export const run = () => {};\n',
    commit_message: 'Run it\n\nIt did nothing so far.',
  });
  await made(`${at}/repository/tags`, {
    tag_name: 'v1.0',
    ref: 'master',
    message: 'The first',
    release_description: 'It *works*.',
  });
  await made(`${at}/wikis`, { title: 'home', content: 'See [the rest](other/page).' });
  await made(`${at}/wikis`, { title: 'other/page', content: 'The rest.' });
  await made(`${at}/labels`, { name: 'urgent', color: '#ff0000' });
  const issue = await made(`${at}/issues`, {
    title: 'It is slow',
    description: 'See `lib/main.ts`.',
    labels: 'urgent',
  });
  await made(`${at}/issues/${issue.iid}/notes`, { body: 'It *is*.' });
  const offer = await made(`${at}/merge_requests`, {
    source_branch: 'feature/x',
    target_branch: 'master',
    title: 'Run',
    description: 'It runs.',
  });
  await made(`${at}/merge_requests/${offer.iid}/notes`, { body: 'Does it?' });
  const piece = { title: 'A piece', file_name: 'a.ts', visibility: 'public' };
  const snippet = await made(`${at}/snippets`, { ...piece, code: 'run();\n' });
  const personal = await made('/snippets', { ...piece, content: 'stop();\n' });
  return {
    owner,
    project,
    projectId: id,
    sha,
    issue: issue.iid,
    mergeRequest: offer.iid,
    snippet: snippet.id,
    personalSnippet: personal.id,
  };
}
