import { keyFaults, valueFaults } from './faults.ts';

/** Maximum number of variables given to a pipeline; each job receives all of them. */
export const mostVariables = 100;
const maxTotalLength = 65_536;

type Variables = Readonly<Record<string, string>>;

/** Messages for the number and the length of the variables of a pipeline together. */
export function variablesTogetherFaults(variables: Variables): readonly string[] {
  const entries = Object.entries(variables);
  if (entries.length > mostVariables) return [`are too many (maximum is ${mostVariables})`];
  const length = entries.reduce((sum, [key, value]) => sum + key.length + value.length, 0);
  return length > maxTotalLength
    ? [`are too long together (maximum is ${maxTotalLength} characters)`]
    : [];
}

/** The first message for the variables given to a pipeline; empty if all are valid. */
export function pipelineVariableFaults(variables: Variables): readonly string[] {
  const together = variablesTogetherFaults(variables);
  if (together.length > 0) return together;
  return Object.entries(variables)
    .flatMap(([key, value]) => [
      ...keyFaults(key).map((fault) => `${key} ${fault}`),
      ...valueFaults(value).map((fault) => `${key} ${fault}`),
    ])
    .slice(0, 1);
}
