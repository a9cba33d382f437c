import { type ExecutionResult, execute, parse, validate } from 'graphql';
import { expect } from 'vitest';
import type { Viewer } from '../../schema/client/execute.ts';
import { adaptResolvers } from '../../schema/client/resolve-info.ts';
import { schema } from '../../schema/index.ts';
import type { Context } from '../../schema/kernel/context.ts';
import { publicView } from '../../schema/public/view.ts';
import { secrets } from './listings.ts';
import { countedDatabase, type Query } from './queries.ts';

export interface PublicResult {
  readonly data: Readonly<Record<string, unknown>>;
  /** The SQL statements of the document. */
  readonly queries: readonly Query[];
}

/** Runs documents as `/graphql` does, without a server, so that their queries can be inspected. */
export interface PublicQueries {
  /** The data of a document; fails if it is invalid or has an error. */
  readonly run: (
    document: string,
    viewer: Viewer | null,
    variables?: object,
  ) => Promise<PublicResult>;
  readonly close: () => Promise<void>;
}

adaptResolvers(schema);

/** The schema of `/graphql`. */
export const publicSchema = publicView(schema);

/** Documents on the database at `databaseUrl`, with the repositories and files of its service. */
export function publicQueriesOn(
  databaseUrl: string,
  ports: Pick<Context, 'git' | 'jobFiles'>,
): PublicQueries {
  const { db, queriesOf } = countedDatabase(databaseUrl);
  return {
    run: async (source, viewer, variables = {}) => {
      const document = parse(source);
      expect(validate(publicSchema, document), source).toEqual([]);
      let result: ExecutionResult = {};
      const contextValue = {
        viewer,
        db,
        ...ports,
        secrets,
        request: { id: '', address: '' },
        baseUrl: 'http://localhost',
        settings: { current: { avatarServiceEnabled: true } },
      } as unknown as Context;
      const queries = await queriesOf(async () => {
        result = await execute({
          schema: publicSchema,
          document,
          contextValue,
          variableValues: { ...variables },
        });
      });
      expect(result.errors, source).toBeUndefined();
      return { data: result.data as PublicResult['data'], queries };
    },
    close: () => db.$disconnect(),
  };
}
