import { isIP } from 'node:net';
import { isAbsolute, join, resolve } from 'node:path';
import { z } from 'zod';
import { trimEnd } from '../schema/kernel/trim.ts';
import { directoryOf, directoryVariables } from './config-directory.ts';
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
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, { error: 'a postgresql:// URL' })
    .optional(),
  MILLRACE_STORAGES: storages.optional(),
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
  ...directoryVariables,
  ...telemetryVariables,
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

/** Variables whose invalid values an error message repeats; the others can hold secrets. */
const shownVariables: ReadonlySet<unknown> = new Set([
  'PORT',
  'MILLRACE_URL',
  'MILLRACE_STORAGES',
  'MILLRACE_TRUSTED_PROXIES',
  'MILLRACE_ALLOW_LOCAL_REQUESTS',
  'MILLRACE_RUNNER',
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
  const dataFolder = resolve(given.MILLRACE_DATA);
  const baseUrl = trimEnd(given.MILLRACE_URL ?? `http://localhost:${given.PORT}`, /\//);
  return Object.freeze({
    port: given.PORT,
    host: given.HOST,
    /** Public base URL without a trailing slash. */
    baseUrl,
    /** The path of `baseUrl`, '' at the root. */
    basePath: trimEnd(new URL(baseUrl).pathname, /\//),
    dataFolder,
    /** Null: the embedded PostgreSQL. */
    databaseUrl: given.DATABASE_URL ?? null,
    /** Storage name → absolute folder. */
    storages: storagesOf(given.MILLRACE_STORAGES, dataFolder),
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
