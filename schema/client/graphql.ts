import { initGraphQLTada } from 'gql.tada';
import type { ReceivedFile } from '../kernel/received-file.ts';
import type { introspection } from './introspection.d.ts';

/** Tag for documents against our schema; results and variables are typed from the printed SDL. */
export const graphql = initGraphQLTada<{
  introspection: introspection;
  disableMasking: true;
  scalars: {
    ID: string;
    DateTime: string;
    Date: string;
    SHA: string;
    Base64: string;
    URL: string;
    ByteCount: number;
    Upload: ReceivedFile;
    Bytes: Uint8Array;
  };
}>();

export type { ResultOf, VariablesOf } from 'gql.tada';
