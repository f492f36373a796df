/** Registers a function that ends what a test has started, as {@link atFileEnd} and `onTestFinished` do. */
export type OnEnd = (end: () => void) => unknown

const endings: (() => unknown)[] = []

/** Runs `end` at the end of the test file, before the ends registered earlier. It can be called at any time. */
export function atFileEnd(end: () => unknown): void {
  endings.push(end)
}

/** Runs all that `atFileEnd` registered. Only setup.ts calls it. */
export async function endFile(): Promise<void> {
  for (let end = endings.pop(); end; end = endings.pop()) await end()
}
