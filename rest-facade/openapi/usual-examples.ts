import type { JsonSchema } from '../kernel/marks.ts';

const commit = '9f2c1b7e4d8a6053c1e9b2f47a80d5c36e1f9b04';
const address = 'https://millrace.example/tools/app';

/** Examples of the values that a name has wherever it stands. */
const usualExamples: Readonly<Record<string, unknown>> = {
  access_level: 30,
  access_token: 'c7f0a1b2d3e4f5061728394a5b6c7d8e',
  architecture: 'amd64',
  artifact_path: 'dist/app.js',
  author_email: 'ada@example.com',
  author_name: 'Ada Lovelace',
  author_username: 'ada',
  avatar_url: 'https://millrace.example/uploads/avatar/user/42.png',
  before_sha: commit,
  bio: 'Writes programs.',
  body: 'Works for me.',
  branch: 'topic',
  build_name: 'unit',
  build_stage: 'test',
  checkout_sha: commit,
  ci_config_path: '.gitlab-ci.yml',
  client_id: '1f8b3a5c7d9e',
  closed_at: '2026-11-20T16:05:00.000Z',
  color: '#d9534f',
  commit_from: commit,
  commit_id: commit,
  commit_message: 'Add a test',
  commit_title: 'Add a test',
  commit_to: commit,
  committer_email: 'ada@example.com',
  committer_name: 'Ada Lovelace',
  confidential: false,
  content: 'Hello',
  coverage: 87.5,
  default_branch: 'master',
  description: 'A tool for builders.',
  diff: '@@ -1 +1 @@\n-a\n+b\n',
  due_date: '2026-12-01',
  email: 'ada@example.com',
  expires_at: '2027-01-31',
  expires_in: 7200,
  file_name: 'app.js',
  file_path: 'src/app.js',
  filename: 'app.js',
  from: 'v1.0',
  full_name: 'Tools',
  full_path: 'tools',
  git_http_url: `${address}.git`,
  git_ssh_url: 'git@millrace.example:tools/app.git',
  group_name: 'Tools',
  homepage: address,
  http_url: `${address}.git`,
  http_url_to_repo: `${address}.git`,
  human_time_estimate: '3h 30m',
  human_total_time_spent: '1h',
  id: 42,
  iid: 7,
  import_url: 'https://git.example.com/tools/app.git',
  job: 'unit',
  key: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPzG5PmCZfFkGgmUzOhBtCgRlv ada@laptop',
  labels: ['bug'],
  last_commit_id: commit,
  location: 'London',
  login: 'ada',
  merge_commit_sha: commit,
  message: 'Add a test',
  name: 'app',
  name_with_namespace: 'Tools / App',
  namespace: 'tools',
  new_name: 'defect',
  new_path: 'src/app.js',
  note: 'Works for me.',
  old_path: 'src/main.js',
  organization: 'Analytical Engines',
  parent_ids: [commit],
  password: 'a long pass phrase',
  path: 'app',
  path_with_namespace: 'tools/app',
  platform: 'linux',
  previous_path: 'src/main.js',
  project_name: 'tools / app',
  raw_url: 'https://millrace.example/snippets/42/raw',
  redirect_uri: 'https://app.example.com/callback',
  ref: 'master',
  ref_name: 'master',
  revision: '4b825dc6',
  scopes: ['api'],
  search: 'app',
  sha: commit,
  short_id: commit.slice(0, 8),
  size: 1024,
  slug: 'home',
  source_branch: 'topic',
  ssh_url: 'git@millrace.example:tools/app.git',
  ssh_url_to_repo: 'git@millrace.example:tools/app.git',
  stage: 'test',
  start_branch: 'master',
  start_date: '2026-11-02',
  tag_list: ['build'],
  tag_name: 'v1.0',
  target_branch: 'master',
  target_title: 'Mend the build',
  target_type: 'Issue',
  target_url: 'https://ci.example.com/builds/42',
  title: 'Mend the build',
  to: 'v1.1',
  url: 'https://hooks.example.com/',
  user_name: 'Ada Lovelace',
  user_username: 'ada',
  username: 'ada',
  value: 'a value',
  version: '0.2.0',
  web_url: address,
  website_url: 'https://ada.example.com',
};

const formatExamples: Readonly<Record<string, string>> = {
  date: '2026-11-02',
  'date-time': '2026-11-02T09:30:00.000Z',
};

/** `author_id` and its like are ids, `issue_iid` is a number within a project. */
const numberOf = (name: string): number | undefined => {
  if (name.endsWith('_iid')) return 7;
  return name.endsWith('_id') ? 42 : undefined;
};

const typeOf = (value: unknown): string => {
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
};

interface Part extends JsonSchema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly items?: Part;
  readonly anyOf?: readonly Part[];
}

/** Whether the type of a value is one of the schema's, and nothing else decides its values. */
function allows(schema: Part, value: unknown): boolean {
  const { type = [], items } = schema;
  if (['enum', 'const', 'contentMediaType', 'contentEncoding'].some((key) => key in schema)) {
    return false;
  }
  const own = typeOf(value);
  if (own === 'array' && items?.type !== 'string') return false;
  return [type].flat().some((one) => one === own || (one === 'number' && own === 'integer'));
}

/** The usual example of the values that a schema allows under this name. */
export function usualExample(name: string, schema: Part): unknown {
  const byFormat = schema.format === undefined ? undefined : formatExamples[schema.format];
  const value = byFormat ?? usualExamples[name] ?? numberOf(name);
  if (value !== undefined && allows(schema, value)) return value;
  for (const choice of schema.anyOf ?? []) {
    const example = usualExample(name, choice);
    if (example !== undefined) return example;
  }
  return undefined;
}

/** A schema of the values that a name has, with the usual example if there is one. */
export function withUsualExample(name: string, schema: JsonSchema): JsonSchema {
  const example = usualExample(name, schema);
  return example === undefined ? schema : { ...schema, examples: [example] };
}
