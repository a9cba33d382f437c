import { mkdir, open, readFile, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';

/** The runner's settings: the file that `register` writes and `run` reads. */
export type RunnerConfig = Awaited<ReturnType<typeof readConfig>>;

/** A base URL to which paths are appended. */
export function withoutSlash(url: string): string {
  let end = url.length;
  while (url[end - 1] === '/') end -= 1;
  return url.slice(0, end);
}

const file = z.strictObject({
  /** URL of the service, without a trailing slash. */
  url: z.url({ protocol: /^https?$/ }).transform((url) => withoutSlash(url)),
  /** The runner token, for requesting jobs. */
  token: z.string().min(1),
  description: z.string().default(''),
  /** Concurrent jobs. */
  concurrent: z.number().int().min(1).max(100).default(1),
  /** Folder for builds and caches. */
  work_folder: z.string().min(1).optional(),
  /** Overrides the base URL of repositories. */
  clone_url: z.url({ protocol: /^https?$/ }).optional(),
  /** Seconds between requests for a job. */
  check_interval: z.number().min(0.1).max(3600).default(3),
  /** Maximum bytes of a trace; further output is discarded. */
  output_limit: z
    .number()
    .int()
    .min(1024)
    .max(64 * 1024 * 1024)
    .default(4 * 1024 * 1024),
  /** Extra environment variables for every job. */
  environment: z.record(z.string(), z.string()).default({}),
});

export const defaultConfigPath = (): string => join(homedir(), '.millrace-runner', 'config.json');

/** Reads the file; an error names the path and the problem. */
export async function readConfig(path: string) {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Error(
      error.code === 'ENOENT'
        ? `There is no ${path}: register a runner first.`
        : `${path} cannot be read: ${error.message}`,
    );
  });
  const read = file.safeParse(parsed(text));
  if (!read.success) throw new Error(`${path} is invalid:\n${z.prettifyError(read.error)}`);
  const { work_folder, clone_url, check_interval, output_limit, ...settings } = read.data;
  return {
    ...settings,
    workFolder: resolve(work_folder ?? dirname(path)),
    cloneUrl: clone_url === undefined ? null : withoutSlash(clone_url),
    checkInterval: check_interval,
    outputLimit: output_limit,
  };
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

type WrittenConfig = z.input<typeof file>;

/** Runs `register` and writes its result to a private file. Throws before registering if the file exists. */
export async function writeConfig(
  path: string,
  register: () => Promise<WrittenConfig>,
): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const handle = await open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw new Error(
      error.code === 'EEXIST'
        ? `${path} already has a runner: choose another file with --config.`
        : `${path} cannot be written: ${error.message}`,
    );
  });
  try {
    await handle.writeFile(`${JSON.stringify(await register(), null, 2)}\n`);
    await handle.sync();
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
}
