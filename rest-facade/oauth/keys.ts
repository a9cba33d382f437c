import { z } from 'zod';
import { graphql } from '../../schema/client/graphql.ts';
import { route } from '../kernel/route.ts';
import { entity, s } from '../kernel/shape.ts';

const constants = { kty: 'RSA', use: 'sig', alg: 'RS256' } as const;

const list = route({
  method: 'get',
  path: '/discovery/keys',
  title: 'List the keys that verify ID tokens',
  access: 'anyone',
  response: entity('JsonWebKeySet', {
    keys: s
      .list(
        s.object({
          kty: s.choice(['RSA']).describe('The type of the key.'),
          use: s.choice(['sig']).describe('What the key is for: signatures.'),
          alg: s.choice(['RS256']).describe('The algorithm.'),
          kid: s.text().describe('The id of the key, which is in the header of an ID token.'),
          n: s.text().describe('The modulus, in base64url.'),
          e: s.text().describe('The exponent, in base64url.'),
        }),
      )
      .describe('The keys as JWK (RFC 7517), the one that signs now first.'),
  }),
  params: z.object({}),
  document: graphql(
    `query OauthPublicKeys { result: oauthPublicKeys { kid: keyId n: modulus e: exponent } }`,
  ),
  reshape: (published) => ({ keys: published.map((key) => ({ ...constants, ...key })) }),
});

export const keys = [list];
