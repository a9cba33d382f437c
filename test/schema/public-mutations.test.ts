import { type GraphQLNamedType, getNamedType, isInputObjectType, isObjectType } from 'graphql';
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

test('each field of an input is described', () => {
  const inputs = types.filter(isInputObjectType);
  const ofMutations = inputs.filter(({ name }) => !name.endsWith('Filter'));
  expect(ofMutations.length).toBeGreaterThan(100);
  expect(ofMutations.flatMap(undescribed)).toEqual([]);
});
