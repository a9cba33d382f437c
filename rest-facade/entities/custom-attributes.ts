/** Converts `custom_attributes[key]=value` of a listing to the core's input. */
export const attributePairs = (given: Readonly<Record<string, string>> | undefined) =>
  given && Object.entries(given).map(([key, value]) => ({ key, value }));
