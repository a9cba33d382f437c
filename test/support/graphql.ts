import { expect } from 'vitest';
import { recordSecrets } from './logged-secrets.ts';
import type { TestUser } from './seed.ts';

interface Body {
  readonly data: Record<string, never> | null;
  readonly errors?: readonly unknown[];
}

/** Sends GraphQL operations to a service, with a user's token or anonymously. */
export const graphqlClientOf =
  (url: string) =>
  async (user: Pick<TestUser, 'token'> | null, query: string, variables: object = {}) => {
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

/** The number in an id of the public schema: 42 of `Issue:42`. */
export const numberOf = (id: string): number => Number(/^[A-Z]\w*:(\d+)$/.exec(id)?.[1]);

/** Data in which every root field is null. */
const erased = expect.toSatisfy((data: object | null) => {
  const fields = Object.values(data ?? {});
  return fields.length > 0 && fields.every((field) => field === null);
}, 'each root field is null');

/** A response with one error, whose root field is null. */
export const refusal = (code: string, message: string, fields?: object) => ({
  status: 200,
  body: {
    data: erased,
    errors: [expect.objectContaining({ message, extensions: { code, ...(fields && { fields }) } })],
  },
});
