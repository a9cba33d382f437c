import { open, readFile } from 'node:fs/promises';
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  type S3Client,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { create as contentDisposition } from 'content-disposition';
import pLimit from 'p-limit';
import { readAt } from '../disk/files.ts';
import { objectKinds } from './kinds.ts';
import type { ListedObject, ObjectStore, StagedObject } from './object-store.ts';
import { isMissing, sendTo, unavailable } from './s3-client.ts';
import {
  abandonUploads,
  eachOf,
  type Part,
  type PartRange,
  partsOf,
  stageInParts,
} from './s3-multipart.ts';
import { openS3Object } from './s3-reader.ts';

/** A bucket, and what the keys of its objects start with. */
export interface S3Place {
  readonly bucket: string;
  /** Empty, or with a slash at the end. */
  readonly prefix: string;
  /** Whether downloads have URLs. */
  readonly hasRedirects: boolean;
}

/** Limits that only tests change; bytes. */
export interface S3Limits {
  /** Longer files are sent in parts of this size, which S3 wants to have 5 MiB or more. */
  readonly partSize: number;
  /** Longer objects are copied in parts of this size. */
  readonly copySize: number;
}

/** Copies of this size are quick, also in a store that responds only afterwards. */
const usualLimits: S3Limits = { partSize: 8 * 2 ** 20, copySize: 256 * 2 ** 20 };

/** Parts in memory at a time, of all uploads of this process, and whole files. */
const maxPartsAtOnce = 4;
const maxFilesAtOnce = 8;
const maxCopiesAtOnce = 8;
const maxRemovalsAtOnce = 8;

/** Seconds for which a download URL is valid: the download must have begun by then. */
const urlLifetime = 600;

/** An object store that can say whether it works. */
export interface S3Objects extends ObjectStore {
  /** Rejects with S3's error if the bucket does not exist, or the configured key may not use it. */
  check(): Promise<void>;
  /** Gives up uploads that began before a time, whose process was killed. */
  abandonUploads(before: Date): Promise<void>;
}

/** Keeps objects in an S3-compatible store. Needs memory for some parts, however long an object is. */
export function s3Objects(
  client: S3Client,
  { bucket, prefix, hasRedirects }: S3Place,
  limits: Partial<S3Limits> = {},
): S3Objects {
  const { partSize, copySize } = { ...usualLimits, ...limits };
  const inMemory = pLimit(maxPartsAtOnce);
  const ofFiles = pLimit(maxFilesAtOnce);
  const copying = pLimit(maxCopiesAtOnce);
  const at = (key: string) => ({ Bucket: bucket, Key: prefix + key });
  const sourceOf = (key: string) => encodeURI(`${bucket}/${prefix}${key}`);
  const locationOf = (key: string) => `s3://${bucket}/${prefix}${key}`;
  const send = sendTo(client);

  const size = async (key: string): Promise<number | null> => {
    try {
      const { ContentLength = 0 } = await client.send(new HeadObjectCommand(at(key)));
      return ContentLength;
    } catch (error) {
      if (isMissing(error)) return null;
      throw unavailable(error);
    }
  };

  const putWhole = async (key: string, path: string): Promise<void> => {
    await send(new PutObjectCommand({ ...at(key), Body: await readFile(path) }));
  };

  const stage = async (key: string, path: string): Promise<StagedObject> => {
    const file = await open(path, 'r');
    try {
      const { size: length } = await file.stat();
      const read = async (start: number, end: number) => {
        const bytes = await readAt(file, start, end - start);
        if (bytes.length < end - start) throw new Error(`${path} changed while it was stored`);
        return bytes;
      };
      if (length <= partSize) {
        // not read before it is sent: many may wait
        return { complete: () => ofFiles(() => putWhole(key, path)), abandon: async () => {} };
      }
      const sendPart = async (UploadId: string, { number, start, end }: PartRange) => {
        const part = { ...at(key), UploadId, PartNumber: number };
        const Body = await read(start, end);
        const { ETag } = await send(new UploadPartCommand({ ...part, Body }));
        return { PartNumber: number, ETag };
      };
      return await stageInParts(client, at(key), partsOf(length, partSize), (uploadId, range) =>
        inMemory(() => sendPart(uploadId, range)),
      );
    } finally {
      await file.close();
    }
  };

  const copyInParts = async (from: string, to: string, length: number): Promise<void> => {
    const copyPart = async (UploadId: string, range: PartRange): Promise<Part> => {
      const { CopyPartResult } = await send(
        new UploadPartCopyCommand({
          ...at(to),
          UploadId,
          PartNumber: range.number,
          CopySource: sourceOf(from),
          CopySourceRange: `bytes=${range.start}-${range.end - 1}`,
        }),
      );
      return { PartNumber: range.number, ETag: CopyPartResult?.ETag };
    };
    const ranges = partsOf(length, copySize);
    const copied = await stageInParts(client, at(to), ranges, (uploadId, range) =>
      copying(() => copyPart(uploadId, range)),
    );
    await copied.complete();
  };

  const copy = async (from: string, to: string): Promise<boolean> => {
    const length = await size(from);
    if (length === null) return false;
    if (length > copySize) await copyInParts(from, to, length);
    else await send(new CopyObjectCommand({ ...at(to), CopySource: sourceOf(from) }));
    return true;
  };

  /** The objects of each page of a listing. */
  async function* pages(below: string, after?: string): AsyncGenerator<readonly ListedObject[]> {
    const listed = paginateListObjectsV2(
      { client },
      {
        Bucket: bucket,
        Prefix: prefix + below,
        ...(after !== undefined && { StartAfter: prefix + after }),
      },
    );
    try {
      for await (const { Contents = [] } of listed) {
        yield Contents.map(({ Key = '', Size = 0, LastModified }) => {
          const stats = { size: Size, changedAt: LastModified ?? new Date(0) };
          const key = Key.slice(prefix.length);
          return { key, location: locationOf(key), stats: async () => stats };
        });
      }
    } catch (error) {
      throw unavailable(error);
    }
  }

  const remove = async (key: string): Promise<void> => {
    await send(new DeleteObjectCommand(at(key)));
  };

  return {
    put: async (key, path) => (await stage(key, path)).complete(),
    stage,
    open: (key, start = 0) => openS3Object(client, at(key), start),
    size,
    copy,
    remove,
    removeAll: async (below) => {
      // one by one: stores differ in how a request for many objects must be signed
      for await (const page of pages(below)) {
        await eachOf(page, ({ key }) => remove(key), maxRemovalsAtOnce);
      }
    },
    list: async function* (below, after) {
      for await (const page of pages(below, after)) yield* page;
    },
    downloadUrl: async (key, { name, mediaType }) => {
      if (!hasRedirects || (await size(key)) === null) return null;
      const get = new GetObjectCommand({
        ...at(key),
        ResponseContentType: mediaType,
        ResponseContentDisposition: contentDisposition(name),
      });
      return getSignedUrl(client, get, { expiresIn: urlLifetime });
    },
    locationOf,
    check: async () => {
      await client.send(new HeadBucketCommand({ Bucket: bucket }));
    },
    abandonUploads: async (before) => {
      // without a prefix, other programs may use the bucket, too
      for (const kind of objectKinds) {
        await abandonUploads(client, { bucket, prefix: `${prefix}${kind}/` }, before);
      }
    },
  };
}
