import type { Context } from 'koa';
import { startGit } from '../git/process/child.ts';
import { gitEnvironment } from '../git/process/environment.ts';
import { prepareGit } from '../git/process/intact-caches.ts';
import { runGit } from '../git/process/run.ts';
import { readHead } from '../git/refs/refs.ts';
import type { GitService } from './access.ts';
import { advertisementCache } from './advertisement-cache.ts';
import { flushPacket, isVersion2, packetLine } from './protocol.ts';
import { relay } from './relay.ts';
import { noCacheHeaders } from './responses.ts';

interface Handshake {
  readonly folder: string;
  readonly service: GitService;
  readonly protocol: string | null;
}

/** Responds to `info/refs` with the repository's references, in the requested protocol version. */
export function advertiser() {
  let capabilities: Promise<Buffer> | null = null;
  const cache = advertisementCache();

  /** Version 2 advertises git's capabilities, not references: they are the same for every repository. */
  const capabilitiesOf = (folder: string) => {
    const environment = { ...gitEnvironment, GIT_PROTOCOL: 'version=2' };
    const args = ['upload-pack', '--http-backend-info-refs', folder];
    capabilities ??= runGit(args, { environment }).catch((error) => {
      capabilities = null;
      throw error;
    });
    return capabilities;
  };

  return async (ctx: Context, { folder, service, protocol }: Handshake) => {
    const contentType = `application/x-${service}-advertisement`;
    const isFetch = service === 'git-upload-pack';
    const isHead = ctx.method === 'HEAD';
    if (isHead || (isFetch && isVersion2(protocol))) {
      // check that the repository exists, since git is not run on it
      await readHead(folder);
      answerWhole(ctx, contentType, isHead ? '' : await capabilitiesOf(folder));
      return;
    }
    const command = isFetch ? 'upload-pack' : 'receive-pack';
    // pushing has no version 2: receive-pack would respond in version 0
    const isKept = protocol !== null && !isVersion2(protocol);
    const head = packetLine(`# service=${service}\n`) + flushPacket;
    // a client may name any protocol: only the output of the usual one is cached
    const cached = isKept ? null : await cache.find(folder, service);
    if (cached) {
      answerWhole(ctx, contentType, cached);
      return;
    }
    const collecting = isKept ? null : await cache.collect(folder, service, head);
    const git = await prepareGit(
      [command, '--http-backend-info-refs', folder],
      isKept ? { ...gitEnvironment, GIT_PROTOCOL: protocol } : gitEnvironment,
      'now',
    );
    const child = startGit(git.args, { environment: git.environment });
    child.stdin.end();
    const onOutput = collecting?.add;
    await relay(ctx, { child, contentType, head, abandon: child.stop, onOutput });
    if ((await child.exit) === 0) collecting?.keep();
  };
}

function answerWhole(ctx: Context, contentType: string, body: Buffer | string) {
  ctx.status = 200;
  ctx.set(noCacheHeaders);
  ctx.body = body;
  ctx.set('Content-Type', contentType);
}
