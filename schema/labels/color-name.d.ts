declare module 'color-name' {
  /** CSS colour names in lower case, with red, green and blue from 0 to 255. */
  const colors: Readonly<Record<string, readonly [number, number, number]>>;
  export default colors;
}
