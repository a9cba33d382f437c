import cluster from 'node:cluster';

/** Has the workers reopen the file of their logs, and gives `descriptor` to later ones as standard output. */
export function reopenLogsOfWorkers(descriptor: number): void {
  cluster.setupPrimary({ stdio: ['inherit', descriptor, 'inherit', 'ipc'] });
  for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGHUP');
}
