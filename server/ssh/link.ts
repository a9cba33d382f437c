import process from 'node:process';
import type { Question, Questions, ToServer, ToSsh } from './messages.ts';

/** How the SSH process reaches the server that started it. */
export interface ServerLink {
  /** Rejects if the server does not answer. */
  ask<Name extends Question>(
    type: Name,
    ask: Questions[Name]['ask'],
  ): Promise<Questions[Name]['answer']>;
  tell(message: Exclude<ToServer, { readonly type: Question }>): void;
  /**
   * Calls `end` when the server ends a session or a connection, by its id; stops to listen when the result is
   * called.
   */
  onEnd(target: string, end: () => void): () => void;
}

/** Milliseconds; the server needs as long at most if the database is slow. */
const answerLimit = 300_000;

/** The link of this process, which passes messages that concern all clients to `onMessage`. */
export function serverLink(onMessage: (message: ToSsh) => void): ServerLink {
  const waiting = new Map<number, (answer: never) => void>();
  const endings = new Map<string, () => void>();
  let count = 0;
  process.on('message', (message: ToSsh) => {
    if (message.type === 'end') {
      const { target } = message;
      // the answer with the id of a session may have come in the same tick
      setImmediate(() => endings.get(target)?.());
      return;
    }
    if (message.type !== 'answer') return onMessage(message);
    waiting.get(message.id)?.(message.answer as never);
    waiting.delete(message.id);
  });
  const send = (message: ToServer) => process.send?.(message);
  return {
    ask: (type, ask) => {
      count += 1;
      const id = count;
      return new Promise((resolve, reject) => {
        const late = setTimeout(() => {
          waiting.delete(id);
          reject(new Error(`The server did not answer ${type}`));
        }, answerLimit);
        waiting.set(id, (answer) => {
          clearTimeout(late);
          resolve(answer);
        });
        send({ type, id, ask } as ToServer);
      });
    },
    tell: send,
    onEnd: (target, end) => {
      endings.set(target, end);
      return () => endings.delete(target);
    },
  };
}
