import { Command } from 'commander';
import {
  coerceInputValue,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
  validateInputValue,
} from 'graphql';
import { camelCase, snakeCase } from '../../rest-facade/kernel/case.ts';
import { schema } from '../../schema/index.ts';
import { type Change, changeOf } from '../../schema/settings/input.ts';
import { updateSettings } from '../../schema/settings/update.ts';
import type { Operator, RunCommand } from './operator.ts';
import { type OutputOptions, type Printed, printRecord } from './output.ts';

/** The input type with all settings, which texts are read as. */
function changeInput(): GraphQLInputObjectType {
  const type = schema.getType('ApplicationSettingsChange');
  if (!isInputObjectType(type)) throw new Error('the schema has no ApplicationSettingsChange');
  return type;
}

const changeType = changeInput();

const fields: Readonly<Record<string, GraphQLInputField>> = changeType.getFields();

/** The settings by the names that REST gives them. */
async function readSettings({ db }: Operator): Promise<Readonly<Record<string, Printed>>> {
  const row: Readonly<Record<string, unknown>> = await db.applicationSettings.findUniqueOrThrow({
    where: { id: 1 },
  });
  return Object.fromEntries(
    Object.keys(fields).map((name) => [snakeCase(name), (row[name] ?? null) as Printed]),
  );
}

/** The value that a text stands for: as JSON for numbers and flags, separated by commas for lists. */
function readValue(field: GraphQLInputField, text: string): unknown {
  if (text === '') return null;
  if (isListType(getNullableType(field.type))) return text.split(',');
  if (!['Int', 'Float', 'Boolean'].includes(getNamedType(field.type).name)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** `name=value` pairs as a change. Throws for an unknown name and for a value of another type. */
function changeFrom(pairs: readonly string[]): Change {
  const given = pairs.map((pair) => {
    const [name = '', ...rest] = pair.split('=');
    const field = fields[camelCase(name)];
    if (!field || rest.length === 0)
      throw new Error(`${pair}: give the name of a setting, = and its value.`);
    return [camelCase(name), readValue(field, rest.join('='))] as const;
  });
  const input = Object.fromEntries(given);
  validateInputValue(input, changeType, (error, [name]) => {
    throw new Error(`${snakeCase(String(name))}: ${error.message}`);
  });
  return changeOf(coerceInputValue(input, changeType) as Parameters<typeof changeOf>[0]);
}

/** `millrace settings …`. */
export function settingCommands(run: RunCommand): Command {
  const group = new Command('settings');
  group
    .command('get')
    .description('Show all settings, or some')
    .argument('[names...]', 'such as signup_enabled')
    .action((names: readonly string[], options: OutputOptions) =>
      run(async (operator) => {
        const settings = await readSettings(operator);
        const unknown = names.find((name) => !(name in settings));
        if (unknown !== undefined) throw new Error(`There is no setting ${unknown}.`);
        const wanted = Object.entries(settings).filter(
          ([name]) => names.length === 0 || names.includes(name),
        );
        printRecord(Object.fromEntries(wanted), options);
      }),
    );
  group
    .command('set')
    .description('Change settings; lists are separated by commas, an empty value clears')
    .argument('<settings...>', 'such as signup_enabled=false')
    .action((pairs: readonly string[], options: OutputOptions) =>
      run(async (operator) => {
        const change = changeFrom(pairs);
        await updateSettings(change, operator);
        const settings = await readSettings(operator);
        const changed = Object.keys(change).map(snakeCase);
        printRecord(
          Object.fromEntries(changed.map((name) => [name, settings[name] ?? null])),
          options,
        );
      }),
    );
  return group;
}
