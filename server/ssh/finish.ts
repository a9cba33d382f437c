import type { ServerChannel } from 'ssh2';

/** Ends a command, with the last of its output. */
export async function finish(
  channel: ServerChannel,
  code: number,
  {
    stdout = '',
    stderr = '',
  }: { readonly stdout?: string | Buffer | undefined; readonly stderr?: string },
): Promise<void> {
  if (channel.destroyed) return;
  // what the client still sends is discarded
  channel.resume();
  if (stdout.length > 0) channel.write(stdout);
  if (stderr !== '') channel.stderr.write(stderr);
  channel.exit(code);
  channel.end();
}
