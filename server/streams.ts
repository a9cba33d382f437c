import { LRUCache } from 'lru-cache';
import type { Receiver } from '../rest-facade/kernel/receiver.ts';
import type { Streams } from '../rest-facade/kernel/route.ts';
import type { Context } from '../schema/kernel/context.ts';
import type { RepositoryAddress } from '../schema/ports/git/address.ts';
import type { ReserveStream } from './http/stream-gate.ts';
import type { Logger } from './log.ts';

/** Larger blobs are streamed. */
const wholeBlob = 1024 * 1024;

/** Fits into the buffers of a connection, so that the stream limits need not apply. */
const smallBlob = 64 * 1024;

/** Cached repository addresses; they never change. */
const remembered = 10_000;

interface StreamsParts extends Pick<Context, 'db' | 'git' | 'jobFiles'> {
  readonly log: Logger;
}

/** Opens content too long for a GraphQL document, within the limits on streams. */
export function createStreams(
  { db, git, log, jobFiles }: StreamsParts,
  reserveStream: ReserveStream,
): (receiver: Receiver) => Streams {
  const addresses = new LRUCache<number, RepositoryAddress>({
    max: remembered,
    fetchMethod: async (id) =>
      db.project.findUniqueOrThrow({ where: { id }, select: { storage: true, diskPath: true } }),
  });
  return (receiver) => {
    const reserve = () => reserveStream(receiver);
    return {
      openBlob: async ({ projectId, isWiki = false, sha, size }) => {
        const project = await addresses.forceFetch(projectId);
        const repository = isWiki ? git.wikiOf(project) : project;
        if (size > smallBlob) await reserve();
        const whole = size <= wholeBlob ? await git.readBlob(repository, sha, wholeBlob) : null;
        return whole ?? git.openBlob(repository, sha);
      },
      canArchive: git.canArchive,
      openArchive: async ({ projectId, commit, name, format }) => {
        const repository = await addresses.forceFetch(projectId);
        await reserve();
        const { signal } = receiver;
        const archive = await git.openArchive(repository, { commit, folder: name, format }, signal);
        // too late for an error response: the connection is cut, and the log has the reason
        archive.once('error', (error) => {
          if (!signal.aborted) log.error({ err: error, projectId, commit }, 'an archive broke off');
        });
        return archive;
      },
      jobFiles: {
        openTrace: (job) => reserve().then(() => jobFiles.openTrace(job)),
        artifactsUrl: async (job, { fileName, isRequested = false }) => {
          const { redirects } = receiver;
          const isAllowed = redirects === 'always' || (redirects === 'on request' && isRequested);
          return isAllowed ? jobFiles.artifactsUrl(job, fileName) : null;
        },
        openArtifacts: (job) => reserve().then(() => jobFiles.openArtifacts(job)),
        openArtifactsEntry: (job, path) =>
          reserve().then(() => jobFiles.openArtifactsEntry(job, path)),
      },
    };
  };
}
