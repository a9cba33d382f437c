import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { z } from 'zod';
import { trimEnd } from '../schema/kernel/trim.ts';
import { directoryOf, directoryVariables } from './config-directory.ts';
import { objectsOf, objectsVariables } from './config-objects.ts';
import { telemetryOf, telemetryVariables } from './config-telemetry.ts';

/** The settings of the operator, read once at the start (docs/configuration.md). */
export type Config = ReturnType<typeof readConfig>;

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const url = z.string().refine(
  (text) => {
    const parsed = URL.parse(text);
    return parsed !== null && /^https?:$/.test(parsed.protocol) && !parsed.search && !parsed.hash;
  },
  { error: 'an http:// or https:// URL without query' },
);

const databaseUrl = z.string().regex(/^postgres(ql)?:\/\//, { error: 'a postgresql:// URL' });

const storages = z.string().regex(/^[A-Za-z0-9_-]+=[^,=]+(,\s*[A-Za-z0-9_-]+=[^,=]+)*$/, {
  error: 'name=/folder, several separated by commas',
});

const network = (text: string) => {
  const [address = '', bits] = text.split('/');
  const family = isIP(address);
  const isSizeRight =
    bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= (family === 6 ? 128 : 32));
  return family !== 0 && isSizeRight;
};

const environment = z.object({
  PORT: z.coerce
    .number({ error: 'a port number from 0 to 65535' })
    .int({ error: 'a port number from 0 to 65535' })
    .min(0, { error: 'a port number from 0 to 65535' })
    .max(65_535, { error: 'a port number from 0 to 65535' })
    .default(8080),
  HOST: z.string().default('127.0.0.1'),
  MILLRACE_URL: url.optional(),
  MILLRACE_DATA: z.string().default('./var'),
  DATABASE_URL: databaseUrl.optional(),
  MILLRACE_POOLER_URL: databaseUrl.optional(),
  MILLRACE_STORAGES: storages.optional(),
  MILLRACE_STORAGE_WEIGHTS: z
    .string()
    .regex(/^[A-Za-z0-9_-]+=\d{1,4}(,\s*[A-Za-z0-9_-]+=\d{1,4})*$/, {
      error: 'name=weight, several separated by commas',
    })
    .optional(),
  MILLRACE_ROOT_PASSWORD: z
    .string()
    .min(8, { error: 'at least 8 characters' })
    .max(128, { error: 'at most 128 characters' })
    .optional(),
  MILLRACE_ROOT_TOKEN: z
    .string()
    .regex(/^[\w-]{20,255}$/, { error: '20 to 255 letters, digits, - and _' })
    .optional(),
  MILLRACE_TRUSTED_PROXIES: z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim()))
    .refine((list) => list.every(network), {
      error: 'addresses or networks such as 10.0.0.0/8, separated by commas',
    })
    .optional(),
  MILLRACE_ALLOW_LOCAL_REQUESTS: z
    .enum(['on', 'off', 'true', 'false', '1', '0'], { error: 'on or off' })
    .default('off'),
  MILLRACE_SSH_PORT: z
    .string()
    .refine((text) => text === 'off' || isPort(text), {
      error: 'off or a port number from 1 to 65535',
    })
    .optional(),
  ...objectsVariables,
  ...directoryVariables,
  ...telemetryVariables,
  MILLRACE_WORKERS: z
    .string()
    .refine((text) => text === 'auto' || (/^\d{1,2}$/.test(text) && Number(text) >= 1), {
      error: 'auto or a number from 1 to 99',
    })
    .default('1'),
  MILLRACE_RUNNER: z.enum(['off', 'shell'], { error: 'off or shell' }).default('off'),
  MILLRACE_DRAIN_SECONDS: z.coerce
    .number({ error: 'a number of seconds from 0 to 3600' })
    .min(0, { error: 'a number of seconds from 0 to 3600' })
    .max(3_600, { error: 'a number of seconds from 0 to 3600' })
    .default(0),
  MILLRACE_AUDIT_DAYS: z.coerce
    .number({ error: 'a number of days from 1 to 36500' })
    .int({ error: 'a number of days from 1 to 36500' })
    .min(1, { error: 'a number of days from 1 to 36500' })
    .max(36_500, { error: 'a number of days from 1 to 36500' })
    .default(365),
  MILLRACE_LOG: z.enum(logLevels, { error: `one of ${logLevels.join(', ')}` }).default('info'),
});

const isPort = (text: string) => /^[1-9]\d{0,4}$/.test(text) && Number(text) <= 65_535;

const defaultSshPort = 2222;

const sshPortOf = (text: string | undefined): number | null => {
  if (text === 'off') return null;
  return text === undefined ? defaultSshPort : Number(text);
};

/** The short form of an address has no port. */
const sshUrlOf = (host: string, port: number | null): string =>
  port === null || port === 22 ? `git@${host}:` : `ssh://git@${host}:${port}/`;

/** Variables whose invalid values an error message repeats; the others can hold secrets. */
const shownVariables: ReadonlySet<unknown> = new Set([
  'PORT',
  'MILLRACE_URL',
  'MILLRACE_STORAGES',
  'MILLRACE_STORAGE_WEIGHTS',
  'MILLRACE_TRUSTED_PROXIES',
  'MILLRACE_ALLOW_LOCAL_REQUESTS',
  'MILLRACE_RUNNER',
  'MILLRACE_SSH_PORT',
  'MILLRACE_WORKERS',
  'MILLRACE_AUDIT_DAYS',
  'MILLRACE_DRAIN_SECONDS',
  'MILLRACE_LOG',
  'OTEL_TRACES_SAMPLER_ARG',
  'OTEL_METRIC_EXPORT_INTERVAL',
]);

/**
 * Environment variables as one frozen object. An empty variable counts as unset. Throws an error that
 * names each invalid variable and the values it allows.
 */
export function readConfig(variables: NodeJS.ProcessEnv) {
  const set = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
  const read = environment.safeParse(set);
  if (!read.success) {
    const lines = read.error.issues.map(({ path: [name], message }) => {
      const value = shownVariables.has(name) ? `, not ${set[String(name)]}` : '';
      return `${String(name)} must be ${message}${value}`;
    });
    throw new Error(lines.join('\n'));
  }
  const given = read.data;
  if (given.MILLRACE_POOLER_URL && !given.DATABASE_URL) {
    throw new Error(
      'MILLRACE_POOLER_URL needs DATABASE_URL, the direct address of the same database',
    );
  }
  const dataFolder = resolve(given.MILLRACE_DATA);
  const sshPort = sshPortOf(given.MILLRACE_SSH_PORT);
  const baseUrl = trimEnd(given.MILLRACE_URL ?? `http://localhost:${given.PORT}`, /\//);
  const configuredStorages = storagesOf(given.MILLRACE_STORAGES, dataFolder);
  return Object.freeze({
    port: given.PORT,
    host: given.HOST,
    /** Public base URL without a trailing slash. */
    baseUrl,
    /** The port of git over SSH; null: it is not served. */
    sshPort,
    /** Whether the port was configured, so that it must be free. */
    isSshPortGiven: given.MILLRACE_SSH_PORT !== undefined,
    /** What SSH clone URLs begin with. */
    sshUrl: sshUrlOf(new URL(baseUrl).hostname, sshPort),
    /** The path of `baseUrl`, '' at the root. */
    basePath: trimEnd(new URL(baseUrl).pathname, /\//),
    dataFolder,
    /** Null: the embedded PostgreSQL. */
    databaseUrl: given.DATABASE_URL ?? null,
    /** A pooler in transaction mode before that database; null: its connections are used directly. */
    poolerUrl: given.MILLRACE_POOLER_URL ?? null,
    /** Storage name → absolute folder. */
    storages: configuredStorages,
    /** Storage name → its share of new projects besides its free space; 1 without an entry. */
    storageWeights: weightsOf(given.MILLRACE_STORAGE_WEIGHTS, configuredStorages),
    /** Null: uploads, artifacts and traces are in the data folder. */
    objects: objectsOf(given),
    rootPassword: given.MILLRACE_ROOT_PASSWORD ?? null,
    rootToken: given.MILLRACE_ROOT_TOKEN ?? null,
    /** Addresses and networks whose X-Forwarded-* headers are trusted. */
    trustedProxies: given.MILLRACE_TRUSTED_PROXIES ?? [],
    /** Whether imports may come from private addresses. */
    allowsLocalRequests: /^(on|true|1)$/.test(given.MILLRACE_ALLOW_LOCAL_REQUESTS),
    /** Null: users sign in with local passwords only. */
    directory: directoryOf(given),
    /** Null: traces and metrics are not exported. */
    telemetry: telemetryOf(given),
    /** Processes that serve requests. */
    workers:
      given.MILLRACE_WORKERS === 'auto' ? availableParallelism() : Number(given.MILLRACE_WORKERS),
    /** Whether the server starts a runner with a shell executor. */
    hasRunner: given.MILLRACE_RUNNER === 'shell',
    /** Milliseconds that the server continues to serve after a signal to stop. */
    drainTime: given.MILLRACE_DRAIN_SECONDS * 1_000,
    /** Days after which audit events are deleted. */
    auditDays: given.MILLRACE_AUDIT_DAYS,
    logLevel: given.MILLRACE_LOG,
  });
}

function storagesOf(text: string | undefined, dataFolder: string): ReadonlyMap<string, string> {
  if (!text) return new Map([['default', join(dataFolder, 'repositories')]]);
  return new Map(
    text.split(',').map((pair) => {
      const [name = '', folder = ''] = pair.split('=').map((part) => part.trim());
      return [name, isAbsolute(folder) ? folder : resolve(folder)] as const;
    }),
  );
}

/** Throws for the weight of a storage that is not configured. */
function weightsOf(
  text: string | undefined,
  storages: ReadonlyMap<string, string>,
): ReadonlyMap<string, number> {
  const weights = (text ?? '').split(',').flatMap((pair) => {
    const [name = '', weight = ''] = pair.split('=').map((part) => part.trim());
    return name ? [[name, Number(weight)] as const] : [];
  });
  const unknown = weights.find(([name]) => !storages.has(name));
  if (unknown) {
    throw new Error(
      `MILLRACE_STORAGE_WEIGHTS names ${unknown[0]}, which MILLRACE_STORAGES does not`,
    );
  }
  return new Map(weights);
}
