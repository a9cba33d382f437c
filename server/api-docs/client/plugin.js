const isObject = (value) => typeof value === 'object' && value !== null;

/** The value at a JSON pointer of the document, for example `#/components/schemas/Label`. */
const valueAt = (api, pointer) =>
  pointer
    .slice(2)
    .split('/')
    .map((key) => decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((value, key) => value?.[key], api);

/** `value` with its references replaced, except those to a value that contains them. */
function resolveReferences(api, value, parents = []) {
  if (Array.isArray(value)) return value.map((item) => resolveReferences(api, item, parents));
  if (!isObject(value)) return value;
  const { $ref: pointer, ...others } = value;
  if (typeof pointer === 'string') {
    if (parents.includes(pointer)) return value;
    const target = resolveReferences(api, valueAt(api, pointer), [...parents, pointer]);
    return { ...target, ...others };
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, resolveReferences(api, item, parents)]),
  );
}

/**
 * Swagger UI parses the document as YAML, and resolves the references of all operations to show one
 * of them, which blocks the page for seconds. The document is JSON, with references into itself
 * only: this plugin resolves those of the operation that is opened.
 */
export const fastDocument = () => ({
  fn: {
    resolveSubtree: async (api, path) => ({
      spec: resolveReferences(
        api,
        path.reduce((value, key) => value?.[key], api),
      ),
      errors: [],
    }),
  },
  statePlugins: {
    spec: {
      wrapActions: {
        parseToJson:
          (_original, { specActions }) =>
          (text) =>
            specActions.updateJsonSpec(JSON.parse(text)),
      },
    },
  },
});
