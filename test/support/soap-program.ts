import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** The result of an operation, or its fault. */
export type SoapResult =
  | { readonly result: unknown; readonly fault?: undefined }
  | {
      readonly fault: { readonly code: string; readonly message: string };
      readonly result?: undefined;
    };

/** A program with a SOAP library of another language. */
export interface SoapProgram {
  readonly call: (operation: string, ...args: readonly unknown[]) => Promise<SoapResult>;
  readonly stop: () => Promise<void>;
}

/** Starts a program that reads calls as lines of JSON and writes their results. */
export function startProgram(program: string, args: readonly string[]): SoapProgram {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    call: async (operation, ...parameters) => {
      child.stdin.write(`${JSON.stringify({ operation, args: parameters })}\n`);
      const { value } = await lines.next();
      if (value === undefined) throw new Error(`${program} exited before it responded.`);
      return JSON.parse(value) as SoapResult;
    },
    stop: async () => {
      const exit = once(child, 'exit');
      child.stdin.end();
      await exit;
    },
  };
}
