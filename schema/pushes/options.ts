import type { Context } from '../kernel/context.ts';
import { storable } from '../kernel/storable.ts';
import type { PushOptions } from '../repository/push-options.ts';
import { pipelineVariableFaults } from '../variables/pipeline-variables.ts';

const mostOptions = 100;

/** Characters of all options together. */
const maxTotalLength = 65_536;

interface ReadOptions {
  /** Absent if the push has none that have an effect. */
  readonly options?: PushOptions;
  /** What the pusher should know about options that have no effect. */
  readonly warnings: readonly string[];
}

/**
 * Reads the options of a push, before its references move; unknown ones have no effect, as in v4.
 * `isOfUser`: not by a deploy key, which may push but do nothing else.
 */
export function readPushOptions(
  texts: readonly string[],
  { isOfUser }: { readonly isOfUser: boolean },
  { secrets }: Pick<Context, 'secrets'>,
): ReadOptions | { readonly refusal: string } {
  if (texts.length === 0) return { warnings: [] };
  if (texts.length > mostOptions) return { refusal: `A push has at most ${mostOptions} options.` };
  if (texts.reduce((sum, { length }) => sum + length, 0) > maxTotalLength)
    return { refusal: `The options of a push have at most ${maxTotalLength} characters.` };
  const options = texts.map(storable);
  const isSkip = options.includes('ci.skip');
  const { variables, warnings } = readVariables(options);
  const mergeRequest = options.filter((option) => option.startsWith('merge_request.'));
  const isRefused = !isOfUser && mergeRequest.length > 0;
  const hasVariables = Object.keys(variables).length > 0;
  return {
    options: {
      ...(isSkip && { skipsCi: true }),
      ...(hasVariables && { sealedVariables: secrets.seal(JSON.stringify(variables)) }),
      ...(isOfUser && mergeRequest.length > 0 && { mergeRequest }),
    },
    warnings: isRefused ? [...warnings, 'A deploy key cannot change merge requests.'] : warnings,
  };
}

const variablePrefix = 'ci.variable=';

/** The variables of the options; of a key that is given twice, the last value. */
function readVariables(options: readonly string[]) {
  const variables: Record<string, string> = {};
  const warnings: string[] = [];
  for (const option of options) {
    if (!option.startsWith(variablePrefix)) continue;
    const [key = '', ...parts] = option.slice(variablePrefix.length).split('=');
    const faults =
      parts.length === 0
        ? ['has no value: write ci.variable="KEY=value"']
        : pipelineVariableFaults({ [key]: parts.join('=') });
    if (faults.length === 0) variables[key] = parts.join('=');
    warnings.push(...faults.map((fault) => `A variable of the pipeline is ignored: ${fault}`));
  }
  return { variables, warnings };
}
