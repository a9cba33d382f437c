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

/** The names of the elements that have no description. */
const undescribed = types.flatMap((type) => {
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
  return elements.filter(([, description]) => !description?.trim()).map(([name]) => name);
});

test('every type, field, argument, input field and enum value is described', () => {
  expect(undescribed).toEqual([]);
});
