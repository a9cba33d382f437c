import { expect } from 'vitest';
import { noteSecrets } from './logged-secrets.ts';
import type { Person } from './seed.ts';

interface Body {
  readonly data: Record<string, never> | null;
}

/** Asks a service through GraphQL, as somebody by their token, or as nobody. */
export const askerOf =
  (url: string) =>
  async (person: Person | null, query: string, variables: object = {}) => {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json',
        ...(person && { 'Private-Token': person.token }),
      },
      body: JSON.stringify({ query, variables }),
    });
    const body = (await response.json()) as Body;
    if (body.data) noteSecrets({ variables, body });
    return { status: response.status, body };
  };

/** An answer that is a refusal and nothing else. */
export const refusal = (code: string, message: string, fields?: object) => ({
  status: 200,
  body: {
    data: null,
    errors: [expect.objectContaining({ message, extensions: { code, ...(fields && { fields }) } })],
  },
});
