import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';

/** Bytes. The hash of a larger file would take too long for a request about its headers. */
export const longestHashed = 64 * 2 ** 20;

interface FileMetadata {
  readonly name: string;
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  readonly blobId: string;
  readonly commitId: string;
  readonly lastCommitSha: string | null;
  readonly isExecutable: boolean;
}

const texts = {
  'X-Gitlab-Blob-Id': 'The id of the blob.',
  'X-Gitlab-Commit-Id': 'The id of the commit.',
  'X-Gitlab-Content-Sha256': 'The SHA-256 of the content; only of a file up to 64 MiB.',
  'X-Gitlab-Encoding': 'The encoding of the content in the response to `GET`: base64.',
  'X-Gitlab-Execute-Filemode': 'Whether the file is executable: true or false.',
  'X-Gitlab-File-Name': 'The name of the file, with control characters as `%0A`.',
  'X-Gitlab-File-Path': 'Its path, with control characters as `%0A`.',
  'X-Gitlab-Last-Commit-Id': 'The last commit that changed the file.',
  'X-Gitlab-Ref': 'The branch, tag or commit of the request.',
  'X-Gitlab-Size': 'Its size in bytes.',
};

/** What OpenAPI says of `fileHeaders`. */
export const fileHeaderTexts: Readonly<Record<string, string>> = texts;

/** The value as UTF-8, as v4 sends it; Node writes each character of a header as one byte. */
const headerText = (text: string) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a header cannot contain them
  Buffer.from(text.replace(/[\x00-\x1f\x7f]/g, encodeURIComponent)).toString('latin1');

/** The headers that describe a file, in place of its JSON. */
export function fileHeaders(
  file: FileMetadata,
  ref: string,
  sha256: string | null,
): Readonly<Record<string, string>> {
  const values: Record<keyof typeof texts, string | null> = {
    'X-Gitlab-Blob-Id': file.blobId,
    'X-Gitlab-Commit-Id': file.commitId,
    'X-Gitlab-Content-Sha256': sha256,
    'X-Gitlab-Encoding': 'base64',
    'X-Gitlab-Execute-Filemode': String(file.isExecutable),
    'X-Gitlab-File-Name': headerText(file.name),
    'X-Gitlab-File-Path': headerText(file.path),
    'X-Gitlab-Last-Commit-Id': file.lastCommitSha,
    'X-Gitlab-Ref': headerText(ref),
    'X-Gitlab-Size': String(file.size),
  };
  const entries = Object.entries(values).flatMap(([name, value]) =>
    value === null ? [] : [[name, value] as const],
  );
  return Object.fromEntries(entries);
}

/** The SHA-256 of a content as hexadecimal digits; a stream is read to its end in constant memory. */
export async function sha256Of(content: Buffer | Readable): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of Buffer.isBuffer(content) ? [content] : content) hash.update(chunk);
  return hash.digest('hex');
}

/** The body of a response to HEAD; unlike an empty buffer it leaves `Content-Length` as it is. */
export const noContent = () => Readable.from([]);
