type Given<Input, Clearable> = {
  [Key in keyof Input]?: NonNullable<Input[Key]> | (Key extends Clearable ? null : never);
};

/**
 * The fields of an input that have a value. `null` and undefined both mean "unchanged", except for
 * the `clearable` fields, whose null clears the value.
 */
export function given<Input extends object, Clearable extends keyof Input = never>(
  input: Input,
  clearable: readonly Clearable[] = [],
): Given<Input, Clearable> {
  const isClearable = (name: string) => (clearable as readonly string[]).includes(name);
  return Object.fromEntries(
    Object.entries(input).filter(
      ([name, value]) => value !== undefined && (value !== null || isClearable(name)),
    ),
  ) as Given<Input, Clearable>;
}
