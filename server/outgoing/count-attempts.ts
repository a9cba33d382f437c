import { Counter, type Registry } from 'prom-client';
import type { HookResponse, HookSender } from '../../schema/ports/hook-sender.ts';

const results = ['delivered', 'rejected', 'failed'] as const;

function resultOf(answer: HookResponse): (typeof results)[number] {
  if (answer.outcome === 'failed') return 'failed';
  return answer.status >= 200 && answer.status < 300 ? 'delivered' : 'rejected';
}

/** The sender, with a count of its attempts. One that a shutdown aborted is repeated and not counted. */
export function countAttempts(sender: HookSender, registry: Registry): HookSender {
  const total = new Counter({
    name: 'millrace_webhook_attempts_total',
    help: 'Attempts to deliver a webhook: with status 2xx, with another status, without a response',
    labelNames: ['result'],
    registers: [registry],
  });
  for (const result of results) total.inc({ result }, 0);
  return {
    fault: (url) => sender.fault(url),
    send: async (message, signal) => {
      const answer = await sender.send(message, signal);
      if (!signal.aborted) total.inc({ result: resultOf(answer) });
      return answer;
    },
  };
}
