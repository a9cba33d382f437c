import { oauthErrorTexts } from '../../schema/client/oauth-errors.ts';
import type { Route } from '../kernel/route.ts';
import { entity, s } from '../kernel/shape.ts';
import { type Failure, retryAfter } from './failure.ts';

const shape = entity('OauthError', {
  error: s
    .choice([...Object.keys(oauthErrorTexts), 'temporarily_unavailable'])
    .describe('The code of the error (RFC 6749, 4.1.2.1 and 5.2).'),
  error_description: s.text().describe('A sentence for developers.'),
});

/** The failures of every OAuth endpoint, by status (v4-behaviour 2.16). */
export const oauthFailures: Readonly<Record<number, Failure>> = {
  401: {
    name: 'OauthRefused',
    description: 'The request, the client, the grant or the token is invalid.',
    headers: { 'WWW-Authenticate': 'The same error (RFC 6750).' },
    shape,
  },
  429: { name: 'OauthThrottled', description: 'Too many attempts.', headers: retryAfter, shape },
  503: {
    name: 'OauthUnavailable',
    description: 'The service is overloaded.',
    headers: retryAfter,
    shape,
  },
};

// credentials may also be parameters, which OpenAPI does not count as authentication
const security = {
  client: [{ client: [] }, {}],
  token: [{ accessToken: [] }, {}],
} as const;

/** Who may call an OAuth endpoint. */
export const oauthSecurityOf = ({ authentication }: Route): readonly object[] =>
  authentication === undefined ? [] : security[authentication];
