import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { giveWay } from './niceness.ts';
import type { FromSpawner, ToSpawner } from './spawner-messages.ts';

/**
 * A separate program that starts git for the server. Starting a process copies the parent's page
 * tables: milliseconds in a server of some hundred megabytes, little here. Git's stdin and stdout
 * are sockets already connected to the server, so no data passes through this program.
 */
const [path = '', poolSize = '0'] = process.argv.slice(2);
const maxStderrBytes = 8192;
const killAfterMs = 5000;

const idle = new Map<number, Socket>();
const running = new Map<number, ChildProcess>();
let lastNumber = 0;

function prepareSocket() {
  lastNumber += 1;
  const number = lastNumber;
  const socket = connect(path, () => socket.write(`${number}\n`));
  // an error means that the server has exited: exit too
  socket.on('error', () => socket.destroy());
  socket.pause();
  idle.set(number, socket);
}

function take(number: number): Socket {
  const socket = idle.get(number);
  if (!socket) throw new Error('There is no such socket');
  idle.delete(number);
  setImmediate(prepareSocket);
  return socket;
}

const send = (message: FromSpawner) => process.stdout.write(`${JSON.stringify(message)}\n`);

function start(message: ToSpawner & { kind: 'start' }) {
  const { id, args, environment, stdin, stdout, channel, niceness } = message;
  const [input, output] = [take(stdin), take(stdout)];
  const socket = channel === null ? null : take(channel);
  // descriptor 3 must be a pipe that blocks, since shells read it: relay it to the socket
  const child = spawn('git', args, {
    env: environment,
    stdio: [input, output, 'pipe', ...(socket ? (['pipe'] as const) : [])],
  });
  input.destroy();
  output.destroy();
  let complaint = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    if (complaint.length < maxStderrBytes) complaint += chunk.toString();
  });
  // there are no streams when the descriptors of this process are used up
  const inherited = child.stdio?.[3] as Socket | undefined;
  if (socket && inherited) {
    inherited.on('error', () => socket.destroy());
    inherited.pipe(socket).pipe(inherited);
    // or "close" would wait until the server ends the conversation
    child.once('exit', () => inherited.end());
  }
  running.set(id, child);
  if (niceness) child.once('exit', giveWay(child.pid, niceness));
  const end = (message: FromSpawner) => {
    if (!running.delete(id)) return;
    socket?.end();
    send(message);
  };
  child.on('error', (error) => {
    complaint ||= error.message;
    if (child.pid === undefined) end({ kind: 'failed', id, reason: error.message });
  });
  child.once('close', (code) => end({ kind: 'ended', id, code, stderr: complaint }));
  if (child.pid !== undefined) send({ kind: 'started', id, pid: child.pid });
}

function stop(id: number) {
  const child = running.get(id);
  if (!child?.kill('SIGTERM')) return;
  const killing = setTimeout(() => child.kill('SIGKILL'), killAfterMs);
  child.once('exit', () => clearTimeout(killing));
}

for (let left = Number(poolSize); left > 0; left -= 1) prepareSocket();
// the server has ended, so the input ends, too
process.stdout.on('error', () => {});
// ignore signals to the process group: the server decides, and closes our input to end this program
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
createInterface({ input: process.stdin })
  .on('line', (line) => {
    const message = JSON.parse(line) as ToSpawner;
    if (message.kind === 'start') start(message);
    else if (message.kind === 'ping') send({ kind: 'pong' });
    else if (message.kind === 'stop') stop(message.id);
    else running.get(message.id)?.kill('SIGKILL');
  })
  .once('close', () => {
    // the server may have been killed: remove its socket folder
    rmSync(dirname(path), { recursive: true, force: true });
    // stop the children, or they would run beside those of the next server
    for (const child of running.values()) child.kill('SIGTERM');
    process.exit(0);
  });
