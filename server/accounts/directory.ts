import { isIP } from 'node:net';
import { Client, type Entry, Filter, InvalidCredentialsError, NoSuchObjectError } from 'ldapts';
import type { Logger } from 'pino';
import type { Directory, DirectoryPerson } from '../../schema/ports/directory.ts';

/** Connection and search settings (docs/configuration.md). */
export interface DirectoryConfig {
  /** `ldap://` or `ldaps://` with host and port. */
  readonly url: string;
  /** Whether to secure a plain connection before sending anything else (STARTTLS). */
  readonly startsTls: boolean;
  /** The account used for searches; null: anonymous. */
  readonly bindDn: string | null;
  readonly bindPassword: string;
  readonly base: string;
  /** Extra filter that users must match, e.g. `(memberOf=cn=developers,dc=example)`; null: none. */
  readonly filter: string | null;
}

/** Milliseconds for a connection, and for each request. */
const patience = 5_000;

/** Longer than any username, and short enough for any server. */
const maxLoginLength = 255;

/** Attributes that hold the sign-in name in the usual schemas, in order of preference. */
const loginAttributes = ['uid', 'sAMAccountName', 'mail', 'userPrincipalName'] as const;

const anything = '(objectClass=*)';

const attributes = [...loginAttributes, 'cn', 'displayName', 'givenName', 'sn'];

/** The directory of `config`. Uses one connection per request: requests are few and must not hang. */
export function ldapDirectory(config: DirectoryConfig, log: Logger): Directory {
  const connected = async <T>(work: (client: Client) => Promise<T>): Promise<T> => {
    const client = new Client({
      url: config.url,
      timeout: patience,
      connectTimeout: patience,
      // compare attribute values as text and send them back unchanged
      strictDN: false,
      // for a plain connection these options would enable TLS
      ...(config.url.startsWith('ldaps:') && { tlsOptions: tlsOptionsOf(config.url) }),
    });
    try {
      if (config.startsTls) await client.startTLS(tlsOptionsOf(config.url));
      return await work(client);
    } finally {
      await client.unbind().catch(() => undefined);
    }
  };

  /** Binds as the search account, after the connection was bound as another user. */
  const bindForSearch = async (client: Client) => {
    if (config.bindDn !== null) await client.bind(config.bindDn, config.bindPassword);
  };

  const find = async (client: Client, login: string): Promise<Entry | null> => {
    const { searchEntries } = await client.search(config.base, {
      scope: 'sub',
      filter: filterOf(login, config.filter),
      attributes,
      sizeLimit: 2,
      timeLimit: patience / 1000,
    });
    // an ambiguous name matches no user
    return searchEntries.length === 1 ? (searchEntries[0] ?? null) : null;
  };

  const addressAt = async (client: Client, dn: string): Promise<string> => {
    try {
      const { searchEntries } = await client.search(dn, { scope: 'base', attributes: ['mail'] });
      return textOf(searchEntries[0]?.mail);
    } catch (error) {
      if (error instanceof NoSuchObjectError) return '';
      throw error;
    }
  };

  const isThere = async (
    client: Client,
    dn: string,
    filter = config.filter ?? anything,
  ): Promise<boolean> => {
    try {
      const { searchEntries } = await client.search(dn, {
        scope: 'base',
        filter,
        attributes: ['1.1'],
      });
      return searchEntries.length > 0;
    } catch (error) {
      if (error instanceof NoSuchObjectError) return false;
      throw error;
    }
  };

  const binds = async (client: Client, dn: string, password: string): Promise<boolean> => {
    // a bind without a name or a password is anonymous, and succeeds
    if (dn === '' || password === '') return false;
    try {
      await client.bind(dn, password);
      return true;
    } catch (error) {
      if (error instanceof InvalidCredentialsError) return false;
      throw error;
    }
  };

  /** The result of `work`, bound as the search account; `otherwise` when the directory is unavailable. */
  const searched = async <T>(otherwise: T, work: (client: Client) => Promise<T>): Promise<T> => {
    try {
      return await connected(async (client) => {
        await bindForSearch(client);
        return work(client);
      });
    } catch (error) {
      log.warn({ err: error }, 'the directory is unavailable');
      return otherwise;
    }
  };

  return {
    authenticate: async (login, password, admits = async () => true) => {
      if (login === '' || password === '' || login.length > maxLoginLength) return null;
      return searched<DirectoryPerson | null>(null, async (client) => {
        const entry = await find(client, login);
        if (!entry || !(await admits(entry.dn))) return null;
        if (!(await binds(client, entry.dn, password))) return null;
        const person = personOf(entry);
        if (!person) log.warn({ dn: entry.dn }, 'a directory user has no e-mail address');
        return person;
      });
    },
    isPasswordOf: (dn, password) =>
      searched(false, async (client) => (await isThere(client, dn)) && binds(client, dn, password)),
    addressOf: (dn) => searched('', (client) => addressAt(client, dn)),
    knows: (dn) =>
      connected(async (client) => {
        await bindForSearch(client);
        if (await isThere(client, dn)) return true;
        // if the search account has lost its rights, every user would appear deleted
        if (await isThere(client, config.base, anything)) return false;
        throw new Error('the base of the directory cannot be read');
      }),
  };
}

/** Checks certificates against the host name; a numeric address has none to send. */
function tlsOptionsOf(url: string) {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  return { minVersion: 'TLSv1.2' as const, ...(isIP(host) === 0 && { servername: host }) };
}

function filterOf(login: string, extra: string | null): string {
  const escaped = Filter.escape(login);
  const anyName = `(|${loginAttributes.map((name) => `(${name}=${escaped})`).join('')})`;
  return extra === null ? anyName : `(&${anyName}${extra})`;
}

const textOf = (value: Entry[string] | undefined): string => {
  const first = Array.isArray(value) ? value[0] : value;
  return first === undefined ? '' : String(first).trim();
};

/** Null without an address: then all users have local accounts. */
function personOf(entry: Entry): DirectoryPerson | null {
  const email = textOf(entry.mail);
  if (email === '') return null;
  const username =
    textOf(entry.uid) || textOf(entry.sAMAccountName) || (email.split('@')[0] ?? 'user');
  const fullName = [textOf(entry.givenName), textOf(entry.sn)].filter(Boolean).join(' ');
  return {
    dn: entry.dn,
    username,
    name: textOf(entry.displayName) || textOf(entry.cn) || fullName || username,
    email,
  };
}
