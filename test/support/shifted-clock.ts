/** The variables of a Node process whose clock is `milliseconds` ahead of the machine's, or behind it. */
export function shiftedClock(milliseconds: number): Readonly<Record<string, string>> {
  const program = `
    const Real = Date;
    globalThis.Date = class extends Real {
      constructor(...args) { args.length > 0 ? super(...args) : super(Date.now()); }
      static now() { return Real.now() + ${milliseconds}; }
    };`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(program)}` };
}
