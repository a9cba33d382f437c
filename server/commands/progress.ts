/** Milliseconds between two updates of the terminal. */
const interval = 200;

/** Characters of a line, so that it fits most terminals. */
const width = 78;

/** Shows how far a long command is, on the standard error of a terminal only. */
export function progress() {
  const isShown = process.stderr.isTTY === true;
  let count = 0;
  let shownAt = 0;
  return {
    /** Counts an item, whose name is shown for a while. */
    step: (name: string): void => {
      count += 1;
      if (!isShown || Date.now() - shownAt < interval) return;
      shownAt = Date.now();
      const text = `${count} ${name}`.replace(/\p{Cc}/gu, ' ').slice(0, width);
      process.stderr.write(`\r${text.padEnd(width)}`);
    },
    /** Removes the line. */
    end: (): void => {
      if (isShown && shownAt > 0) process.stderr.write(`\r${' '.repeat(width)}\r`);
    },
  };
}
