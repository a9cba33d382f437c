import { z } from 'zod';
import type { Route } from '../kernel/route.ts';
import { s } from '../kernel/shape.ts';
import { type Failure, retryAfter } from './failure.ts';
import { oauthFailuresOf } from './oauth.ts';

const texts = s.list(s.text());

/** What REST says of a failure: v4 has several forms. */
const errorShape = z
  .union([
    z.strictObject({
      message: z
        .union([
          s.text(),
          texts,
          z.record(s.text(), z.union([s.text(), texts, z.record(s.text(), texts)])),
        ])
        .describe('The status and its reason, or the messages for each field.'),
    }),
    z.strictObject({
      error: z.union([s.text(), texts]).describe('What is wrong with the request.'),
    }),
    z.strictObject({
      error: s.text().describe('The code of the error (RFC 6749 and 6750).'),
      error_description: s.text().describe('A sentence for developers.'),
      scope: s.text().optional().describe('The scopes of which one is needed.'),
    }),
  ])
  .meta({ id: 'Error', description: 'What was wrong, in one of the forms of v4.' });

/** Every failure that an endpoint of REST can respond with. */
const failures: Readonly<Record<number, Omit<Failure, 'shape'>>> = {
  400: { name: 'BadRequest', description: 'A parameter is missing or invalid.' },
  401: {
    name: 'Unauthorized',
    description: 'The credential is missing or invalid.',
    headers: { 'WWW-Authenticate': 'Why an access token is not accepted (RFC 6750).' },
  },
  403: {
    name: 'Forbidden',
    description: 'The current user may not do this, or the scopes of the token do not suffice.',
    headers: { 'WWW-Authenticate': 'The scopes that are needed (RFC 6750).' },
  },
  404: { name: 'NotFound', description: 'It does not exist, or the current user may not see it.' },
  405: { name: 'NotAllowed', description: 'The state of the record does not allow it.' },
  406: { name: 'NotAcceptable', description: 'The media type or the state is not supported.' },
  408: { name: 'RequestTimeout', description: 'The request body did not arrive in time.' },
  409: { name: 'Conflict', description: 'It conflicts with an existing or changed record.' },
  412: { name: 'PreconditionFailed', description: 'The record changed after the given time.' },
  413: { name: 'TooLarge', description: 'The request body or a file is too large.' },
  415: { name: 'UnsupportedEncoding', description: 'The encoding of the body is not supported.' },
  416: {
    name: 'RangeNotSatisfiable',
    description: 'The range does not continue the content.',
    headers: { Range: 'The bytes that are stored.' },
  },
  422: { name: 'Unprocessable', description: 'The values do not fit together.' },
  429: { name: 'TooManyRequests', description: 'Too many attempts.', headers: retryAfter },
  503: { name: 'Unavailable', description: 'The service is overloaded.', headers: retryAfter },
  507: {
    name: 'InsufficientStorage',
    description: 'The disk of the server is full.',
    headers: retryAfter,
  },
};

/** 404 also for `sudo` with an unknown user. */
const always = [400, 401, 403, 404, 429, 503];
const ofBodies = [406, 408, 413, 415, 507];

/** The failures of a route, by status. */
export function failuresOf(
  route: Route,
  kind: 'rest' | 'oauth',
): Readonly<Record<number, Failure>> {
  if (kind === 'oauth') return oauthFailuresOf(route);
  const { method, path, operation, statuses = [] } = route;
  const hasBody = method === 'post' || method === 'put' || method === 'patch';
  const all = [
    ...always,
    ...(hasBody ? ofBodies : []),
    ...(method === 'delete' ? [412] : []),
    ...Object.values(operation.refusals ?? {}),
    ...statuses.filter((status) => status >= 400),
  ];
  return Object.fromEntries(
    [...new Set(all)].map((status) => {
      const failure = failures[status];
      if (!failure) throw new Error(`${path}: no description of status ${status}`);
      return [status, { ...failure, shape: errorShape }];
    }),
  );
}
