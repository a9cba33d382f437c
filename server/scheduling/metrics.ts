import { Counter, Gauge, type Metric } from 'prom-client';
import type { GroupQueue } from '../queueing/group-queue.ts';
import { callerClasses } from './caller.ts';

type Counted = Pick<GroupQueue, 'running' | 'waiting'>;

/** The queues of this process by the kind of their work; the latest one of a kind. */
const queues = new Map<string, Counted>();

const registers: [] = [];

const refused = new Counter({
  name: 'millrace_work_refused_total',
  help: 'Heavy work refused because its caller, or its class of callers, had too much',
  labelNames: ['kind', 'class'],
  registers,
});

const work = new Gauge({
  name: 'millrace_work',
  help: 'Heavy work now',
  labelNames: ['kind', 'class', 'state'],
  registers,
  collect() {
    this.reset();
    for (const [kind, queue] of queues) {
      for (const group of callerClasses) {
        this.set({ kind, class: group, state: 'running' }, queue.running(group));
        this.set({ kind, class: group, state: 'waiting' }, queue.waiting(group));
      }
    }
  },
});

/** For the registry of a server. */
export const workMetrics: readonly Metric[] = [work, refused];

export function watchKind(kind: string, queue: Counted): void {
  queues.set(kind, queue);
}

export const countRefusal = (kind: string, group: string): void =>
  refused.inc({ kind, class: group });
