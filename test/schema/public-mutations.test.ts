import {
  type GraphQLNamedType,
  type GraphQLType,
  getNamedType,
  isInputObjectType,
  isObjectType,
  isRequiredInputField,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import { schema } from '../../schema/index.ts';
import { publicView } from '../../schema/public/view.ts';

const view = publicView(schema);
const types = Object.values(view.getTypeMap()).filter(({ name }) => !name.startsWith('__'));
const mutations = Object.values(view.getMutationType()?.getFields() ?? {});

const described = ({ description }: { readonly description?: string | null | undefined }) =>
  Boolean(description?.trim());

/** The elements of a type without description, as `Type.field`. */
const undescribed = (type: GraphQLNamedType): string[] => {
  if (!isInputObjectType(type) && !isObjectType(type)) return [];
  const fields = Object.values(type.getFields()).filter((field) => !described(field));
  return fields.map(({ name }) => `${type.name}.${name}`);
};

describe('a mutation of the public schema', () => {
  test('has one argument `input` at most', () => {
    const others = mutations.flatMap(({ name, args }) => args.map((arg) => `${name} ${arg.name}`));
    expect(others.filter((text) => !text.endsWith(' input'))).toEqual([]);
  });

  test('names what it gives', () => {
    const unnamed = mutations.filter(({ type }) => {
      const payload = getNamedType(type);
      return isObjectType(payload) && 'result' in payload.getFields();
    });
    expect(unnamed.map(({ name }) => name)).toEqual([]);
  });

  test('is described, with its payload', () => {
    expect(mutations.filter((field) => !described(field)).map(({ name }) => name)).toEqual([]);
    const payloads = types.filter(({ name }) => name.endsWith('Payload'));
    expect(payloads.length).toBe(mutations.length);
    expect(payloads.flatMap(undescribed)).toEqual([]);
  });
});

/** What identifies a record that has no id of its own, and the commit that changes a file. */
const keys: ReadonlySet<string> = new Set([
  ...['key', 'name', 'tagName', 'slug'],
  ...['path', 'branch', 'content', 'message'],
  'UpdateProtectedBranchInput.name',
  // the commit, and the only field that changes
  ...['UpdateCommitCommentInput.sha', 'UpdateCommitCommentInput.body'],
]);

test('an update requires what identifies its record and nothing else', () => {
  const inputs = types.filter(isInputObjectType).filter(({ name }) => /^Update.*Input$/.test(name));
  expect(inputs.length).toBeGreaterThan(15);
  const others = inputs.flatMap((input) =>
    Object.values(input.getFields())
      .filter((field) => isRequiredInputField(field) && !/^id$|Id$/.test(field.name))
      .filter(({ name }) => !keys.has(name) && !keys.has(`${input.name}.${name}`))
      .map(({ name }) => `${input.name}.${name}`),
  );
  expect(others).toEqual([]);
});

test('an input identifies a record by an `ID` that is named after it', () => {
  const fields = types.filter(isInputObjectType).flatMap((type) =>
    Object.values(type.getFields()).map((field) => ({
      name: `${type.name}.${field.name}`,
      field,
    })),
  );
  const isReference = (name: string) => /^id$|Ids?$/.test(name);
  const references = fields.filter(({ field }) => getNamedType(field.type).name === 'ID');
  expect(references.length).toBeGreaterThan(100);
  expect(references.filter(({ name }) => !isReference(name.replace(/.*\./, '')))).toEqual([]);
  // the number in the project is part of the record that the id identifies
  expect(fields.filter(({ field }) => field.name === 'iid').map(({ name }) => name)).toEqual([]);
});

test('an argument, input field or field that is named as an id is an `ID`', () => {
  const typed: { readonly name: string; readonly type: GraphQLType }[] = [];
  for (const type of types) {
    if (isInputObjectType(type)) typed.push(...Object.values(type.getFields()));
    if (!isObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) typed.push(field, ...field.args);
  }
  const ids = typed.filter(({ name }) => /^id$|Ids?$/.test(name));
  expect(ids.filter(({ type }) => getNamedType(type).name !== 'ID').map(String)).toEqual([]);
});

test('each type with an id is a node, except those without a check of one record', () => {
  const others = types.filter(
    (type) =>
      isObjectType(type) &&
      String(type.getFields().id?.type) === 'ID!' &&
      !type.getInterfaces().some(({ name }) => name === 'Node'),
  );
  expect(others.map(({ name }) => name).sort()).toEqual([
    'ApplicationSettings',
    'Event',
    'ProjectGroupLink',
  ]);
});

test('each field of an input is described', () => {
  const inputs = types.filter(isInputObjectType);
  const ofMutations = inputs.filter(({ name }) => !name.endsWith('Filter'));
  expect(ofMutations.length).toBeGreaterThan(100);
  expect(ofMutations.flatMap(undescribed)).toEqual([]);
});
