import { expect } from 'vitest';
import { recordSecrets } from './logged-secrets.ts';
import type { TestUser } from './seed.ts';

interface Body {
  readonly data: Record<string, never> | null;
}

/** Sends GraphQL operations to a service, with a user's token or anonymously. */
export const graphqlClientOf =
  (url: string) =>
  async (user: TestUser | null, query: string, variables: object = {}) => {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json',
        ...(user && { 'Private-Token': user.token }),
      },
      body: JSON.stringify({ query, variables }),
    });
    const body = (await response.json()) as Body;
    if (body.data) recordSecrets({ variables, body });
    return { status: response.status, body };
  };

/** A response with one error and no data. */
export const refusal = (code: string, message: string, fields?: object) => ({
  status: 200,
  body: {
    data: null,
    errors: [expect.objectContaining({ message, extensions: { code, ...(fields && { fields }) } })],
  },
});
