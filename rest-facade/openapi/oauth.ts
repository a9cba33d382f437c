import { oauthErrorTexts } from '../../schema/client/oauth-errors.ts';
import type { Route } from '../kernel/route.ts';
import { entity, s } from '../kernel/shape.ts';
import { type Failure, retryAfter } from './failure.ts';

const fields = {
  error: s
    .choice([...Object.keys(oauthErrorTexts), 'temporarily_unavailable'])
    .describe('The code of the error (RFC 6749, 4.1.2.1 and 5.2; RFC 6750, 3.1).'),
  error_description: s.text().describe('A sentence for developers.'),
};

const shape = entity('OauthError', fields);

const insufficientScope: Failure = {
  name: 'OauthForbidden',
  description: 'The scopes of the access token do not suffice.',
  headers: { 'WWW-Authenticate': 'The scope that is needed (RFC 6750).' },
  shape: entity('OauthScopeError', {
    ...fields,
    scope: s.text().describe('The scope that is needed.'),
  }),
};

/** The failures of every OAuth endpoint, by status (v4-behaviour 2.16). */
const usualFailures: Readonly<Record<number, Failure>> = {
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

/** The failures of an OAuth endpoint, by status. */
export const oauthFailuresOf = ({
  statuses = [],
}: Pick<Route, 'statuses'>): Readonly<Record<number, Failure>> => ({
  ...usualFailures,
  ...(statuses.includes(403) && { 403: insufficientScope }),
});

// credentials may also be parameters, which OpenAPI does not count as authentication
const security = {
  client: [{ client: [] }, {}],
  token: [{ accessToken: [] }, {}],
} as const;

/** Who may call an OAuth endpoint. */
export const oauthSecurityOf = ({ authentication }: Route): readonly object[] =>
  authentication === undefined ? [] : security[authentication];
