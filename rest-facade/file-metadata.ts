import { z } from 'zod';
import type { Outcome } from '../schema/client/endpoint.ts';
import { graphql, type ResultOf } from '../schema/client/graphql.ts';
import { mayRead } from './entities/repository.ts';
import {
  fileHeaders,
  fileHeaderTexts,
  longestHashed,
  noContent,
  sha256Of,
} from './kernel/file-headers.ts';
import { p, ref } from './kernel/params.ts';
import { rawContent, rawResponse } from './kernel/raw.ts';
import { route, type Streams } from './kernel/route.ts';

const path = '/projects/:id/repository/files/:file_path';

const document = graphql(
  `query FileMetadata($id: ID!, $ref: String!, $file_path: String!) {
    repository(project: $id) {
      projectId
      file(ref: $ref, path: $file_path) {
        name path size blobId commitId lastCommitSha isExecutable
      }
    }
  }`,
);

const common = {
  method: 'head',
  access: 'anyone',
  before: mayRead,
  params: z.object({ ...ref, file_path: p.text(), ref: p.text() }),
  description: 'From GitLab 11.3. Metadata of the file in headers.',
  responseHeaders: fileHeaderTexts,
  document,
} as const;

type FileInRepository = ResultOf<typeof document>['repository'];

const openFile = ({ projectId, file: { blobId: sha, size } }: FileInRepository, streams: Streams) =>
  streams.openBlob({ projectId, sha, size });

async function describeFile(
  { repository }: ResultOf<typeof document>,
  params: { readonly ref: string },
  streams: Streams,
): Promise<Outcome> {
  const { file } = repository;
  const sha256 =
    file.size > longestHashed ? null : await sha256Of(await openFile(repository, streams));
  const headers = { 'Content-Type': 'application/json', ...fileHeaders(file, params.ref, sha256) };
  return { status: 200, headers, body: noContent() };
}

const ofFile = route({
  ...common,
  path,
  title: 'Show the metadata of a file',
  send: describeFile,
});

const ofBlame = route({
  ...common,
  path: `${path}/blame`,
  title: 'Show the metadata of a file by the path of its blame',
  send: describeFile,
});

/** As `GET`, its headers tell the type of the content, too. */
const ofRaw = route({
  ...common,
  ...rawContent,
  responseHeaders: { ...rawContent.responseHeaders, ...fileHeaderTexts },
  path: `${path}/raw`,
  title: 'Show the metadata of the content of a file',
  send: async ({ repository }, params, streams) => {
    const { file } = repository;
    const content = await openFile(repository, streams);
    const { status, headers } = await rawResponse(content, file);
    const sha256 = file.size > longestHashed ? null : await sha256Of(content);
    if (!Buffer.isBuffer(content)) content.destroy();
    return {
      status,
      headers: { ...headers, ...fileHeaders(file, params.ref, sha256) },
      body: noContent(),
    };
  },
});

export const fileMetadata = [ofFile, ofBlame, ofRaw];
