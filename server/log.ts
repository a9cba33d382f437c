import { type Logger, pino } from 'pino';

export type { Logger };

/** JSON lines on standard output; readable text where a person looks at it. Secrets never get here. */
export const createLog = (level: string, isTerminal: boolean): Logger =>
  pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: ['password', 'token', 'privateToken', '*.password', '*.token', 'headers.authorization'],
    ...(isTerminal && {
      transport: { target: 'pino-pretty', options: { ignore: 'pid,hostname', singleLine: true } },
    }),
  });
