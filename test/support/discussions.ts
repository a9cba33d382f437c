import { expect } from 'vitest';
import type { ApiResponse, Client } from './client.ts';
import type { TestUser } from './seed.ts';
import { basicUserShape, instant } from './shapes.ts';

interface DiscussionNote {
  readonly id: number;
  readonly body: string;
}

/** A discussion as REST shows it. */
export interface TestDiscussion {
  readonly id: string;
  readonly notes: readonly [DiscussionNote, ...DiscussionNote[]];
}

export const anyKey: unknown = expect.stringMatching(/^[0-9a-f]{40}$/);

/** Starts a thread; `path` is that of a noteable or commit. */
export async function startThread(
  client: Client,
  path: string,
  params: Readonly<Record<string, unknown>> = {},
): Promise<TestDiscussion> {
  const response = await client.post(`${path}/discussions`, { body: 'Why?', ...params });
  expect(response).toMatchObject({ status: 201 });
  return response.body as TestDiscussion;
}

/** Replies to a thread, and gives the id of the note. */
export async function reply(
  client: Client,
  path: string,
  { id }: Pick<TestDiscussion, 'id'>,
  body = 'Because.',
): Promise<number> {
  const response = await client.post(`${path}/discussions/${id}/notes`, { body });
  expect(response).toMatchObject({ status: 201 });
  return (response.body as DiscussionNote).id;
}

/** The texts of the notes of each discussion in a response. */
export const bodiesOf = ({ body }: ApiResponse): string[][] =>
  (body as readonly TestDiscussion[]).map(({ notes }) => notes.map((note) => note.body));

interface OnNoteable {
  readonly noteable_id: number;
  readonly noteable_type: 'Issue' | 'MergeRequest' | 'Snippet';
  readonly noteable_iid: number | null;
}

/** A note of a thread that cannot be resolved. */
export const threadNoteShape = (url: string, author: TestUser, on: OnNoteable, body: string) => ({
  id: expect.any(Number),
  type: 'DiscussionNote',
  body,
  attachment: null,
  author: { ...basicUserShape(url, author), email: author.email, created_at: instant },
  created_at: instant,
  updated_at: instant,
  system: false,
  ...on,
  resolvable: false,
});
