import { Counter, Gauge, Histogram, type Metric } from 'prom-client';
import type { GroupQueue } from '../queueing/group-queue.ts';

export type Outcome = 'done' | 'timeout' | 'memory' | 'refused' | 'aborted' | 'failed';

export type TaskMetrics = ReturnType<typeof taskMetrics>;

const seconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Counts and durations of worker tasks by kind, and how full their queue is. */
export function taskMetrics(queue: Pick<GroupQueue, 'running' | 'waiting'>) {
  const registers: [] = [];
  const total = new Counter({
    name: 'millrace_worker_tasks_total',
    help: 'Tasks of the worker pool that ended',
    labelNames: ['kind', 'outcome'],
    registers,
  });
  const duration = new Histogram({
    name: 'millrace_worker_task_duration_seconds',
    help: 'Time of a task in the worker pool, with its wait',
    labelNames: ['kind'],
    buckets: seconds,
    registers,
  });
  const tasks = new Gauge({
    name: 'millrace_worker_tasks',
    help: 'Tasks of the worker pool now',
    labelNames: ['state'],
    registers,
    collect() {
      this.set({ state: 'running' }, queue.running());
      this.set({ state: 'waiting' }, queue.waiting());
    },
  });
  return {
    /** For the process's metrics registry. */
    all: [total, duration, tasks] as readonly Metric[],
    /** Measures a task until the returned function is called. */
    start: (kind: string) => {
      const stop = duration.startTimer({ kind });
      return (outcome: Outcome) => {
        stop();
        total.inc({ kind, outcome });
      };
    },
  };
}
