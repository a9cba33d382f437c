import { z } from 'zod';
import { trimEnd } from '../schema/kernel/trim.ts';

const objectsUrl = 's3://bucket/prefix?endpoint=…&region=…, without credentials';

/** A bucket by the rules of S3; the prefix consists of plain names. */
const bucketShape = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const prefixShape = /^(\/[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}){0,5}\/?$/;

const options = z.strictObject({
  endpoint: z
    .url({ protocol: /^https?$/ })
    .refine((text) => !URL.parse(text)?.username)
    .optional(),
  region: z
    .string()
    .regex(/^[a-z0-9-]{1,50}$/i)
    .default('us-east-1'),
  downloads: z.enum(['redirect', 'proxy']).default('redirect'),
  writes: z.enum(['s3', 'local']).default('s3'),
});

/** Where uploads, artifacts and traces of finished jobs are kept besides the data folder. */
export interface ObjectsConfig {
  readonly bucket: string;
  /** What all keys start with: empty, or with a slash at the end. */
  readonly prefix: string;
  /** Null: that of AWS for the region. */
  readonly endpoint: string | null;
  readonly region: string;
  /** Null: what the machine's role, or the files of the AWS tools, provide. */
  readonly credentials: {
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
    readonly sessionToken?: string;
  } | null;
  /** Whether browsers and runners get downloads from the store itself. */
  readonly hasRedirects: boolean;
  /** Where new files are stored: both places are read. */
  readonly writes: 's3' | 'local';
}

type Place = Omit<ObjectsConfig, 'credentials'>;

/** Null for a malformed URL. */
function placeOf(text: string): Place | null {
  const url = URL.parse(text);
  if (url?.protocol !== 's3:' || url.username || url.password || url.port || url.hash) return null;
  if (!bucketShape.test(url.hostname) || !prefixShape.test(url.pathname)) return null;
  const names = [...url.searchParams.keys()];
  const read = options.safeParse(Object.fromEntries(url.searchParams));
  if (!read.success || new Set(names).size < names.length) return null;
  const { endpoint, region, downloads, writes } = read.data;
  const prefix = trimEnd(url.pathname, /\//).slice(1);
  return {
    bucket: url.hostname,
    prefix: prefix && `${prefix}/`,
    endpoint: endpoint === undefined ? null : trimEnd(endpoint, /\//),
    region,
    hasRedirects: downloads === 'redirect',
    writes,
  };
}

/** The store, and the standard variables of AWS with its credentials. */
export const objectsVariables = {
  MILLRACE_OBJECTS: z
    .string()
    .refine((text) => placeOf(text) !== null, { error: objectsUrl })
    .optional(),
  AWS_ACCESS_KEY_ID: z.string().optional(),
  AWS_SECRET_ACCESS_KEY: z.string().optional(),
  AWS_SESSION_TOKEN: z.string().optional(),
};

/** Null: all files are in the data folder. */
export function objectsOf({
  MILLRACE_OBJECTS: text,
  AWS_ACCESS_KEY_ID: accessKeyId,
  AWS_SECRET_ACCESS_KEY: secretAccessKey,
  AWS_SESSION_TOKEN: sessionToken,
}: z.output<z.ZodObject<typeof objectsVariables>>): ObjectsConfig | null {
  const place = text === undefined ? null : placeOf(text);
  if (!place) return null;
  const credentials =
    accessKeyId && secretAccessKey
      ? { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) }
      : null;
  return { ...place, credentials };
}
