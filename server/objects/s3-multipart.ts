import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  type S3Client,
} from '@aws-sdk/client-s3';
import pLimit from 'p-limit';
import type { StagedObject } from './object-store.ts';
import { isMissing, sendTo, unavailable } from './s3-client.ts';

/** S3 accepts no more parts of one object. */
const maxParts = 10_000;

/** The place of an object in S3's words. */
export interface ObjectPlace {
  readonly Bucket: string;
  readonly Key: string;
}

/** A stored part in S3's words. */
export interface Part {
  readonly PartNumber: number;
  readonly ETag: string | undefined;
}

/** Where a part begins and ends, in bytes. */
export interface PartRange {
  readonly number: number;
  readonly start: number;
  readonly end: number;
}

/** The parts of `size` bytes, each of `usual` bytes or, if they would be too many, more. */
export function partsOf(size: number, usual: number): readonly PartRange[] {
  const partSize = Math.max(usual, Math.ceil(size / maxParts));
  return Array.from({ length: Math.ceil(size / partSize) }, (_, index) => ({
    number: index + 1,
    start: index * partSize,
    end: Math.min(size, (index + 1) * partSize),
  }));
}

/** Stores an object in parts: `sendPart` stores each. The object exists once it is completed. */
export async function stageInParts(
  client: S3Client,
  place: ObjectPlace,
  ranges: readonly PartRange[],
  sendPart: (uploadId: string, range: PartRange) => Promise<Part>,
): Promise<StagedObject> {
  const send = sendTo(client);
  const { UploadId = '' } = await send(new CreateMultipartUploadCommand(place));
  const upload = { ...place, UploadId };
  const abandon = async () => {
    await send(new AbortMultipartUploadCommand(upload));
  };
  try {
    const Parts = await eachOf(ranges, (range) => sendPart(UploadId, range));
    const complete = new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } });
    return { complete: () => send(complete).then(() => undefined), abandon };
  } catch (error) {
    // `abandonUploads` does it otherwise
    await abandon().catch(() => undefined);
    throw error;
  }
}

/** Gives up the uploads below a prefix that began before a time, whose process was killed. */
export async function abandonUploads(
  client: S3Client,
  { bucket, prefix }: { readonly bucket: string; readonly prefix: string },
  before: Date,
): Promise<void> {
  const send = sendTo(client);
  let marker: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } | null = {};
  while (marker) {
    const page: ListMultipartUploadsCommandOutput = await send(
      new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: prefix, ...marker }),
    );
    for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
      if (!Initiated || Initiated >= before) continue;
      await client
        .send(new AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId }))
        .catch((error: unknown) => {
          // it was completed meanwhile
          if (!isMissing(error)) throw unavailable(error);
        });
    }
    marker = page.IsTruncated
      ? { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker }
      : null;
  }
}

/** Items at a time: the others wait here, not in a queue that work of other callers shares. */
const maxAtOnce = 2;

/**
 * The results of work for each item. After the first failure no further item begins, and the promise rejects
 * once none is running.
 */
export async function eachOf<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
  atOnce = maxAtOnce,
): Promise<Result[]> {
  const limit = pLimit(atOnce);
  const failures: unknown[] = [];
  const results = await limit.map(items, async (item) => {
    if (failures.length > 0) return null;
    try {
      return { result: await work(item) };
    } catch (error) {
      failures.push(error);
      return null;
    }
  });
  if (failures.length > 0) throw failures[0];
  return results.flatMap((done) => (done ? [done.result] : []));
}
