import type { FieldErrors } from '../kernel/errors.ts';
import { blankOrTooLong, tooLong } from '../kernel/lengths.ts';
import { applicationScopes, scopeFaults } from '../tokens/policy.ts';

/** The fields of an application. */
export interface ApplicationDetails {
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly scopes: readonly string[];
  readonly isConfidential: boolean;
  readonly isTrusted: boolean;
}

const longestName = 255;
const mostUris = 20;
const longestUri = 2000;

/** The characters of RFC 3986 except `#`, because the fragment never leaves the browser. */
const uriShape = /^[A-Za-z][A-Za-z0-9+.-]*:[A-Za-z0-9\-._~:/?[\]@!$&'()*+,;=%]+$/;
const webShape = /^https?:\/\/[^/?@]+(?:[/?]|$)/i;

/** Schemes that a browser runs or displays itself, or that lead to no program. */
const refusedSchemes = new Set([
  'javascript:',
  'data:',
  'vbscript:',
  'file:',
  'filesystem:',
  'blob:',
  'about:',
  'view-source:',
  'urn:',
]);

/** Messages per field; omitted fields are valid. */
export const applicationFaults = ({
  name,
  redirectUris,
  scopes,
}: Partial<ApplicationDetails>): FieldErrors => ({
  name: name === undefined ? [] : nameFaults(name),
  redirectUris: redirectUris === undefined ? [] : uriFaults(redirectUris),
  scopes: scopes === undefined ? [] : scopeFaults(scopes, applicationScopes),
});

/**
 * Control characters, surrogates, and characters that change the direction of the following text.
 */
const misleading = /\p{Cc}|\p{Cs}|[\u202a-\u202e\u2066-\u2069]/u;

const nameFaults = (name: string): readonly string[] =>
  // users see the name when they decide whether to trust the application
  misleading.test(name) ? ['is invalid'] : blankOrTooLong(name, longestName);

function uriFaults(uris: readonly string[]): readonly string[] {
  if (uris.length === 0) return ["can't be blank"];
  if (uris.length > mostUris) return [`is too long (maximum is ${mostUris} addresses)`];
  return [...new Set(uris.flatMap(uriFault))];
}

/**
 * Messages for a redirect URI. It must be absolute, without a fragment and without credentials.
 * Native apps have schemes of their own, such as `com.example.app:/callback`. Plain http is allowed
 * for any host, because tools inside a network often have nothing else. Schemes that a browser
 * would run as a script or read from the disk are not allowed.
 */
function uriFault(uri: string): readonly string[] {
  if (uri.length > longestUri) return tooLong(uri, longestUri);
  if (uri.includes('#')) return ['cannot contain a fragment'];
  if (!uriShape.test(uri) || !URL.canParse(uri)) return ['must be an absolute URI'];
  const { protocol, username, password } = new URL(uri);
  if (refusedSchemes.has(protocol)) return ['is of a forbidden scheme'];
  const isWeb = protocol === 'http:' || protocol === 'https:';
  if (username || password || (isWeb && !webShape.test(uri))) return ['must be an absolute URI'];
  return [];
}
