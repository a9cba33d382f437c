import type { JsonSchema } from '../kernel/marks.ts';
import { usualExample } from './usual-examples.ts';
import { usualText } from './usual-texts.ts';

interface Property extends JsonSchema {
  description?: string;
  examples?: readonly unknown[];
}

interface Part {
  readonly properties?: Readonly<Record<string, Property>>;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
}

/** Adds the usual text and example to each property of a schema that lacks them, at any depth. */
export function addUsuals(schema: JsonSchema): void {
  const { properties = {}, items, anyOf = [] } = schema as Part;
  const isUser = 'username' in properties;
  for (const [name, property] of Object.entries(properties)) {
    const text = usualText(name);
    if (text) property.description ??= text;
    const example = usualExample(isUser && name === 'name' ? 'user_name' : name, property);
    if (example !== undefined) property.examples ??= [example];
    addUsuals(property);
  }
  if (items) addUsuals(items);
  for (const choice of anyOf) addUsuals(choice);
}
