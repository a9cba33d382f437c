import { Counter, Histogram, type Registry } from 'prom-client';
import type { OnRequest } from './s3-client.ts';

/** Counts the requests to the object store, and their seconds. */
export function countRequests(registry: Registry): OnRequest {
  const total = new Counter({
    name: 'millrace_object_store_requests_total',
    help: 'Requests to the object store, each attempt counted',
    labelNames: ['operation', 'result'],
    registers: [registry],
  });
  const seconds = new Histogram({
    name: 'millrace_object_store_request_seconds',
    help: 'Time until the object store has answered a request',
    labelNames: ['operation'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10, 60],
    registers: [registry],
  });
  return (operation, hasSucceeded, time) => {
    total.inc({ operation, result: hasSucceeded ? 'succeeded' : 'failed' });
    seconds.observe({ operation }, time);
  };
}
