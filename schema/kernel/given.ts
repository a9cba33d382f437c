/** The members of an input that were given: `null` and left out both mean "as it is". */
export function given<Input extends object>(
  input: Input,
): {
  [Key in keyof Input]?: NonNullable<Input[Key]>;
} {
  return Object.fromEntries(
    Object.entries(input).filter(([, value]) => value !== null && value !== undefined),
  ) as { [Key in keyof Input]?: NonNullable<Input[Key]> };
}
