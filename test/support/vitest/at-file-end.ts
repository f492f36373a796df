import { afterAll } from 'vitest'

const endings: (() => unknown)[] = []

// Vitest hears an afterAll only while a file is collected, not from within its beforeAll.
afterAll(async () => {
  for (const end of endings.reverse()) await end()
})

/** Ends something with the test file, the last started first; to be called at any time. */
export function atFileEnd(end: () => unknown): void {
  endings.push(end)
}
