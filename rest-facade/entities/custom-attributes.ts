/** `custom_attributes[key]=value` of a listing, as the core is told of it. */
export const attributePairs = (given: Readonly<Record<string, string>> | undefined) =>
  given && Object.entries(given).map(([key, value]) => ({ key, value }));
