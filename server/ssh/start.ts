import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Config } from '../config.ts';
import { gitEnvironment } from '../git/process/environment.ts';
import { outageText } from '../git-http/responses.ts';
import { helperReports } from '../helpers/failures.ts';
import { watchHeartbeat } from '../helpers/heartbeat.ts';
import type { HelperLimits } from '../helpers/silence-watch.ts';
import type { Logger } from '../log.ts';
import { identify } from './access.ts';
import { hostKeys } from './host-keys.ts';
import { type SshLimits, sshLimits } from './limits.ts';
import type { Opened, Question, ToServer, ToSsh } from './messages.ts';
import { type SessionParts, sshSessions } from './sessions.ts';

export interface SshParts extends Omit<SessionParts, 'log'> {
  readonly registry: Registry;
  readonly log: Logger;
  /** Whether other processes listen on the port, too. */
  readonly isShared: boolean;
  readonly limits: Partial<SshLimits>;
  /** When the process is hung. */
  readonly helpers?: HelperLimits | undefined;
}

export interface SshServer {
  /** Ends when the running commands have ended, or after `patience` milliseconds. */
  stop(patience: number): Promise<void>;
}

type SshConfig = Pick<Config, 'sshPort' | 'isSshPortGiven' | 'host' | 'dataFolder'>;

const program = fileURLToPath(new URL('program.ts', import.meta.url));

/** Milliseconds before a process that has died is started again. */
const restartAfter = 1_000;

/**
 * Serves git over SSH by a process of its own, which is replaced when it dies or does not answer. Null if it is switched
 * off, or if another program listens on the default port, which is logged; throws if it listens on the
 * port that the administrator has chosen.
 */
export async function startSsh(config: SshConfig, parts: SshParts): Promise<SshServer | null> {
  const { sshPort: port, isSshPortGiven, host, dataFolder } = config;
  if (port === null) return null;
  const { log, registry, isShared } = parts;
  const limits = { ...sshLimits, ...parts.limits };
  const keys = await hostKeys(dataFolder);
  const metrics = metricsIn(registry);
  const report = helperReports(log);
  let isStopping = false;
  let child: ChildProcess | null = null;
  const send = (message: ToSsh, to = child) => {
    if (to?.connected) to.send(message, () => {});
  };

  const sessions = await sshSessions(parts, (target) => send({ type: 'end', target }));

  const answer = async (message: Extract<ToServer, { type: Question }>): Promise<unknown> => {
    if (message.type === 'identify') {
      const fingerprint = Buffer.from(message.ask.fingerprint, 'base64');
      const identity = await identify(fingerprint, parts.core, parts.identities);
      if (!identity) metrics.unknownKeys.inc();
      return identity;
    }
    if (message.type === 'close') return sessions.close(message.ask.session);
    if (message.type === 'silence') return sessions.setSilent(message.ask);
    const isLfs = message.type === 'lfs';
    const answered = await (isLfs ? sessions.lfs(message.ask) : sessions.open(message.ask));
    const service = isLfs ? 'git-lfs-authenticate' : message.ask.service;
    metrics.commands.inc({ service, result: 'refusal' in answered ? 'refused' : 'started' });
    return answered;
  };

  const reportError = (error: Error) => log.error({ err: error }, 'git over SSH');

  const respond = (to: ChildProcess, id: number, given: unknown) => {
    if (to.connected) return send({ type: 'answer', id, answer: given }, to);
    // the process has died while its command was opened
    const { session } = (given ?? {}) as Partial<Opened>;
    if (session !== undefined) sessions.close(session).catch(reportError);
  };

  /** Starts the process; resolves when it listens, with the error's code if it cannot. */
  const start = async (): Promise<string | null> => {
    // the variables of the server are secrets of the server
    const started = fork(program, {
      env: { PATH: gitEnvironment.PATH },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    child = started;
    const heartbeat = watchHeartbeat({
      pid: () => started.pid,
      ping: () => send({ type: 'ping' }, started),
      onSilent: () => {
        report('ssh', 'silent', { pid: started.pid });
        started.kill('SIGKILL');
      },
      limits: parts.helpers,
    });
    const listening = new Promise<string | null>((resolve) => {
      started.once('exit', () => resolve('exited'));
      started.once('error', () => resolve('exited'));
      started.on('message', (message: ToServer) => {
        heartbeat.answered();
        if (message.type === 'pong') return;
        if (message.type === 'listening') resolve(null);
        else if (message.type === 'failed') resolve(message.code);
        else if (message.type === 'gone') sessions.leave(message.session);
        else if (message.type === 'connected')
          sessions.connect(message.connection, message.identity);
        else if (message.type === 'disconnected') sessions.disconnect(message.connection);
        else if (message.type === 'connections') metrics.connections.set(message.count);
        else if (message.type === 'fault') log.error({ fault: message.message }, 'git over SSH');
        else {
          const { id } = message;
          answer(message)
            .catch((error: Error) => {
              reportError(error);
              if (message.type === 'close') return [];
              // the key may be right
              if (message.type === 'identify') return 'unavailable';
              return { refusal: outageText(error) ?? 'An internal error occurred.' };
            })
            .then((given) => respond(started, id, given));
        }
      });
    });
    send({ type: 'listen', port, host, isShared, limits, hostKeys: keys }, started);
    const end = (details: Readonly<Record<string, unknown>>) => {
      heartbeat.stop();
      // a kill is reported already
      if (!isStopping && !started.killed) report('ssh', 'exited', details);
      void onExit(started);
    };
    started.once('exit', (code, signal) => end({ code, signal }));
    started.on('error', (error) => {
      if (started.pid === undefined) end({ err: error });
    });
    return listening;
  };

  const onExit = async (ended: ChildProcess) => {
    // a session may wait for the database: the next process need not
    const closing = sessions.closeAll().catch(reportError);
    if (isStopping || ended !== child) return closing;
    await delay(restartAfter, undefined, { ref: false });
    if (isStopping) return;
    const fault = await start();
    if (fault === null || fault === 'exited') return;
    log.error({ port, reason: fault }, 'git over SSH cannot listen again');
    // its exit starts the next attempt
    child?.kill('SIGKILL');
  };

  const stop = async (patience: number) => {
    if (isStopping) return;
    isStopping = true;
    const running = child;
    if (running && running.exitCode === null && running.signalCode === null) {
      const exit = once(running, 'exit');
      running.send({ type: 'stop', patience } satisfies ToSsh, () => {});
      await exit;
    }
    await sessions.closeAll();
    await sessions.stop();
  };

  const fault = await start();
  if (fault === null) {
    log.info({ port }, 'git over SSH');
    return { stop };
  }
  await stop(0);
  const reason = fault === 'EADDRINUSE' ? 'another program listens there' : fault;
  if (isSshPortGiven) throw new Error(`Git over SSH cannot listen on port ${port}: ${reason}.`);
  log.warn({ port, reason }, 'git over SSH is not served: set MILLRACE_SSH_PORT');
  return null;
}

function metricsIn(registry: Registry) {
  return {
    connections: new Gauge({
      name: 'millrace_ssh_connections',
      help: 'Open connections of git over SSH',
      registers: [registry],
    }),
    commands: new Counter({
      name: 'millrace_ssh_commands_total',
      help: 'Commands of clients over SSH, by service and result',
      labelNames: ['service', 'result'],
      registers: [registry],
    }),
    unknownKeys: new Counter({
      name: 'millrace_ssh_unknown_keys_total',
      help: 'Keys offered over SSH that are unknown or expired, or whose user is blocked',
      registers: [registry],
    }),
  };
}
