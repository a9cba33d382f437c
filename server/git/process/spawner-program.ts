import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import type { FromSpawner, ToSpawner } from './spawner-messages.ts';

/**
 * A program of its own that starts git for the server. Starting a process copies the page tables
 * of whoever does it: milliseconds in a server of some hundred megabytes, little in here. Git's
 * input and output are sockets connected to the server beforehand, so no byte passes through here.
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
  // the server is gone when it refuses, and then so are we
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

const tell = (message: FromSpawner) => process.stdout.write(`${JSON.stringify(message)}\n`);

function start({ id, args, environment, stdin, stdout, channel }: ToSpawner & { kind: 'start' }) {
  const [input, output] = [take(stdin), take(stdout)];
  const talk = channel === null ? null : take(channel);
  // a socket given away as descriptor 3 would not block, and a shell cannot read that: it is relayed
  const child = spawn('git', args, {
    env: environment,
    stdio: [input, output, 'pipe', ...(talk ? (['pipe'] as const) : [])],
  });
  input.destroy();
  output.destroy();
  let complaint = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    if (complaint.length < maxStderrBytes) complaint += chunk.toString();
  });
  const inherited = child.stdio[3] as Socket | undefined;
  if (talk && inherited) {
    inherited.on('error', () => talk.destroy());
    inherited.pipe(talk).pipe(inherited);
    // or "close" would wait for the server to end the talk
    child.once('exit', () => inherited.end());
  }
  running.set(id, child);
  child.on('error', (error) => {
    complaint ||= error.message;
    if (child.pid === undefined) end(null);
  });
  child.once('close', (code) => end(code));
  const end = (code: number | null) => {
    if (!running.delete(id)) return;
    talk?.end();
    tell({ id, code, complaint });
  };
}

function stop(id: number) {
  const child = running.get(id);
  if (!child?.kill('SIGTERM')) return;
  const killing = setTimeout(() => child.kill('SIGKILL'), killAfterMs);
  child.once('exit', () => clearTimeout(killing));
}

for (let left = Number(poolSize); left > 0; left -= 1) prepareSocket();
// a signal to the whole group is the server's to answer: it ends this program by closing its input
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
createInterface({ input: process.stdin })
  .on('line', (line) => {
    const message = JSON.parse(line) as ToSpawner;
    if (message.kind === 'start') start(message);
    else stop(message.id);
  })
  .once('close', () => {
    // the server may have been killed: its folder with the socket is left to us
    rmSync(dirname(path), { recursive: true, force: true });
    // nobody waits for them any more, and whoever comes next would have them beside their own
    for (const child of running.values()) child.kill('SIGTERM');
    process.exit(0);
  });
