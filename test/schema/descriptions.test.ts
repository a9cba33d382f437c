import {
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isSpecifiedScalarType,
} from 'graphql';
import { expect, test } from 'vitest';
import { schema } from '../../schema/index.ts';
import { publicView } from '../../schema/public/view.ts';

const types = Object.values(publicView(schema).getTypeMap()).filter(
  (type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type),
);

/** All elements with their descriptions. */
const described = types.flatMap((type) => {
  const elements: [string, string | null | undefined][] = [[type.name, type.description]];
  if (isEnumType(type)) {
    for (const { name, description } of type.getValues()) {
      elements.push([`${type.name}.${name}`, description]);
    }
  }
  if (isObjectType(type) || isInterfaceType(type) || isInputObjectType(type)) {
    for (const field of Object.values(type.getFields())) {
      elements.push([`${type.name}.${field.name}`, field.description]);
      for (const { name, description } of 'args' in field ? field.args : []) {
        elements.push([`${type.name}.${field.name}(${name})`, description]);
      }
    }
  }
  return elements;
});

test('every type, field, argument, input field and enum value is described', () => {
  const undescribed = described.filter(([, description]) => !description?.trim());
  expect(undescribed.map(([name]) => name)).toEqual([]);
});

test('a description says in a sentence who may use an element, in the words of the others', () => {
  const fragment =
    /(^|[.;] )(Reporters|Developers|Masters|Owners|Administrators)( only)?[.;]|\bviewer\b|colour/i;
  expect(described.filter(([, description]) => fragment.test(description ?? ''))).toEqual([]);
});

/** The input fields of mutations whose name matches, as `Type.field`, with this in the description. */
const inputsThatSay = (inputName: RegExp, text: RegExp): string[] =>
  types
    .filter(isInputObjectType)
    .filter(({ name }) => inputName.test(name))
    .flatMap((input) =>
      Object.values(input.getFields())
        .filter(({ description }) => text.test(description ?? ''))
        .map(({ name }) => `${input.name}.${name}`),
    );

test('the input of a creation does not describe changes', () => {
  const change = /null .*(clears|removes)|replaces? the existing|nothing changes|stays? as/i;
  expect(inputsThatSay(/^Create.*Input$/, change)).toEqual([]);
});

test('the input of an update does not describe new records', () => {
  const update = /^Update(?!ApplicationSettings).*Input$/;
  expect(inputsThatSay(update, /A new (?!\w+ name)|Default/)).toEqual([]);
});

test('an enum value that no record has is left out', () => {
  const valuesOf = (name: string) => {
    const type = types.find((type) => type.name === name);
    return isEnumType(type) ? type.getValues().map(({ name }) => name) : [];
  };
  expect(valuesOf('EventAction')).not.toContain('EXPIRED');
});
