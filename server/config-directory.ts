import { FilterParser } from 'ldapts';
import { z } from 'zod';
import type { DirectoryConfig } from './accounts/directory.ts';

const parsed = (text: string): URL | null => {
  const url = URL.parse(text);
  const isLdap = url !== null && /^ldaps?:$/.test(url.protocol) && url.hostname !== '';
  if (!isLdap || url.username || url.password || url.hash || url.pathname.length > 1) return null;
  const choices = [...url.searchParams];
  const areKnown = choices.every(
    ([name, value]) => name === 'starttls' && /^(yes|no)$/.test(value),
  );
  return areKnown ? url : null;
};

const isFilter = (text: string): boolean => {
  try {
    return text.startsWith('(') && Boolean(FilterParser.parseString(text));
  } catch {
    return false;
  }
};

/** The variables of the directory server. Without a URL it is off; with a URL, a base is required. */
export const directoryVariables = {
  MILLRACE_LDAP_URL: z
    .string()
    .refine((text) => parsed(text) !== null, {
      error: 'ldap://host:port or ldaps://host:port, with ?starttls=yes or ?starttls=no behind it',
    })
    .optional(),
  MILLRACE_LDAP_BIND_DN: z.string().max(1000).optional(),
  MILLRACE_LDAP_BIND_PASSWORD: z.string().max(1000).optional(),
  MILLRACE_LDAP_BASE: z.string().max(1000).optional(),
  MILLRACE_LDAP_FILTER: z
    .string()
    .refine(isFilter, { error: 'a filter in parentheses (RFC 4515)' })
    .optional(),
};

const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** The configured directory, or null. A plain connection to another machine starts TLS. */
export function directoryOf(
  given: z.output<z.ZodObject<typeof directoryVariables>>,
): DirectoryConfig | null {
  const url = given.MILLRACE_LDAP_URL && parsed(given.MILLRACE_LDAP_URL);
  if (!url) return null;
  if (!given.MILLRACE_LDAP_BASE) {
    throw new Error('MILLRACE_LDAP_BASE must be the name below which users are searched');
  }
  const startTls = url.searchParams.get('starttls');
  return {
    url: `${url.protocol}//${url.host}`,
    startsTls:
      url.protocol === 'ldap:' && (startTls ? startTls === 'yes' : !loopback.test(url.hostname)),
    bindDn: given.MILLRACE_LDAP_BIND_DN ?? null,
    bindPassword: given.MILLRACE_LDAP_BIND_PASSWORD ?? '',
    base: given.MILLRACE_LDAP_BASE,
    filter: given.MILLRACE_LDAP_FILTER ?? null,
  };
}
