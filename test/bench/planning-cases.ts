import type { RequestCase } from './measure.ts';
import { createPlanning } from './planning.ts';
import type { World } from './world.ts';

const reading = { kind: 'least', value: 0.6 } as const;
const making = { kind: 'least', value: 0.5 } as const;

export const planningCaseNames = [
  ...['issues', 'issues-page-1000', 'issues-opened', 'issue', 'notes', 'notes-100', 'boards'],
  ...['create-issue', 'create-note'],
] as const;

/** Issues, their notes, and boards; the cases that create records are last. */
export async function planningCases(world: World): Promise<RequestCase[]> {
  const { projectId, iids, openIids, developer } = await createPlanning(world);
  const headers = { 'Private-Token': developer.token };
  const project = `/api/v4/projects/${projectId}`;
  const shared = { urls: [world.service.url, world.twinUrl] } as const;
  const read = (name: string, paths: readonly string[]): RequestCase => ({
    ...shared,
    name,
    goal: reading,
    requests: paths.map((path) => ({ path: `${project}${path}`, headers })),
  });
  const make = (name: string, paths: readonly string[], body: object): RequestCase => ({
    ...shared,
    name,
    goal: making,
    comparison: { likeness: withoutNumbers },
    requests: paths.map((path) => ({
      path: `${project}${path}`,
      headers,
      body: JSON.stringify(body),
    })),
  });
  const notesOf = (iid: number) => `/issues/${iid}/notes`;
  const [busy = 0] = iids;
  return [
    read('issues', ['/issues?page=1&per_page=20']),
    read('issues-page-1000', ['/issues?page=1000&per_page=20']),
    read('issues-opened', ['/issues?state=opened&per_page=20']),
    read(
      'issue',
      iids.map((iid) => `/issues/${iid}`),
    ),
    read('notes', [`${notesOf(busy)}?per_page=20`]),
    read('notes-100', [`${notesOf(busy)}?per_page=100`]),
    read('boards', ['/boards']),
    make('create-issue', ['/issues'], { title: 'Something new', description: text }),
    make('create-note', openIids.map(notesOf), { body: text }),
  ];
}

const text =
  'The problem is as described, and it has existed for as long as we can remember. '.repeat(4);

/** Two records created by equal requests differ in ids and times. */
const withoutNumbers = (body: string) =>
  body
    .replace(/^\{"id":\d+/, '{"id":0')
    .replace(/"(iid|noteable_id|noteable_iid)":\d+/g, '"$1":0')
    .replace(/\/issues\/\d+/g, '/issues/0')
    .replace(/"(created_at|updated_at)":"[^"]+"/g, '"$1":""');
