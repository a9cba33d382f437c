import SchemaBuilder from '@pothos/core';
import ComplexityPlugin from '@pothos/plugin-complexity';
import PrismaPlugin from '@pothos/plugin-prisma';
import { dataModel } from '../../prisma/data-model.ts';
import type PrismaTypes from '../../prisma/generated/pothos.ts';
import type { ReceivedFile } from '../ports/uploads.ts';
import { registerAudit } from './audit.ts';
import type { Context } from './context.ts';
import { usualCost } from './cost.ts';
import { registerInPerson } from './in-person.ts';
import { registerPageBounds } from './page-bounds.ts';
import { base64, byteCount, bytes, calendarDate, dateTime, sha, upload, url } from './scalars.ts';

/** The schema builder that defines every type of the core. */
export const builder = new SchemaBuilder<{
  Context: Context;
  PrismaTypes: PrismaTypes;
  DefaultFieldNullability: false;
  Scalars: {
    ID: { Input: string; Output: number | string };
    DateTime: { Input: Date; Output: Date };
    Date: { Input: Date; Output: Date };
    SHA: { Input: string; Output: string };
    Base64: { Input: string; Output: string };
    URL: { Input: string; Output: string };
    ByteCount: { Input: never; Output: bigint | number };
    Upload: { Input: ReceivedFile; Output: never };
    Bytes: { Input: Uint8Array; Output: never };
  };
}>({
  plugins: [
    ComplexityPlugin,
    PrismaPlugin,
    registerInPerson(),
    registerPageBounds(),
    registerAudit(),
  ],
  defaultFieldNullability: false,
  // checked once per document, by the endpoint that accepts documents from outside
  complexity: {
    disabled: true,
    fieldComplexity: (_args, _ctx, { extensions }) =>
      usualCost((extensions.pothosConfig as { readonly kind: string }).kind),
  },
  prisma: {
    client: (ctx) => ctx.db,
    dmmf: dataModel,
    // a resolver that ignores its `query` would fall back to a query per row
    onUnusedQuery: process.env.NODE_ENV === 'production' ? null : 'error',
  },
});

/** Declares the fields of an input type, also those that several types share. */
export type InputFields = PothosSchemaTypes.InputFieldBuilder<
  typeof builder.$inferSchemaTypes,
  'InputObject'
>;

builder.addScalarType('DateTime', dateTime);
builder.addScalarType('Date', calendarDate);
builder.addScalarType('SHA', sha);
builder.addScalarType('Base64', base64);
builder.addScalarType('URL', url);
builder.addScalarType('ByteCount', byteCount);
builder.addScalarType('Upload', upload);
builder.addScalarType('Bytes', bytes);

builder.queryType({
  description:
    'The entry points for reading. A field is null, with an error, if its record does not exist or the current user may not see it; the other fields are still answered.',
});
builder.mutationType({
  description:
    'All changes. Mutations run one after the other, and each returns a payload with the changed record.',
});
builder.subscriptionType({
  description:
    'Streams of events (`Accept: text/event-stream`). Each event is read with the permissions that the caller has at that moment; a stream ends when the caller may no longer see the record.',
});
