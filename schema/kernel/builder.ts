import SchemaBuilder from '@pothos/core';
import ComplexityPlugin from '@pothos/plugin-complexity';
import PrismaPlugin from '@pothos/plugin-prisma';
import type PrismaTypes from '../../prisma/generated/pothos.ts';
import { getDatamodel } from '../../prisma/generated/pothos.ts';
import type { ReceivedFile } from '../ports/uploads.ts';
import type { Context } from './context.ts';
import { DomainError } from './errors.ts';
import { byteCount, bytes, calendarDate, dateTime, upload } from './scalars.ts';

/** Every type of the core is made with this one builder. */
export const builder = new SchemaBuilder<{
  Context: Context;
  PrismaTypes: PrismaTypes;
  DefaultFieldNullability: false;
  Scalars: {
    ID: { Input: string; Output: number | string };
    DateTime: { Input: Date; Output: Date };
    Date: { Input: Date; Output: Date };
    ByteCount: { Input: never; Output: bigint | number };
    Upload: { Input: ReceivedFile; Output: never };
    Bytes: { Input: Uint8Array; Output: never };
  };
}>({
  plugins: [ComplexityPlugin, PrismaPlugin],
  defaultFieldNullability: false,
  // strangers' documents are bounded, our own are known
  complexity: {
    limit: ({ limits }) => limits,
    complexityError: (kind) =>
      new DomainError('INVALID', `The document is beyond the limit of ${kind}`),
  },
  prisma: {
    client: (ctx) => ctx.db,
    dmmf: getDatamodel(),
    // a resolver that leaves its `query` out would fall back to a query per row
    onUnusedQuery: process.env.NODE_ENV === 'production' ? null : 'error',
  },
});

builder.addScalarType('DateTime', dateTime);
builder.addScalarType('Date', calendarDate);
builder.addScalarType('ByteCount', byteCount);
builder.addScalarType('Upload', upload);
builder.addScalarType('Bytes', bytes);

builder.queryType();
builder.mutationType();
