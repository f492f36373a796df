import { afterAll } from 'vitest'

const endings: (() => unknown)[] = []

// Vitest ignores an afterAll that is called in a beforeAll.
afterAll(async () => {
  for (const end of endings.reverse()) await end()
})

/** Ends something with the test file, the last started first; can be called at any time. */
export function atFileEnd(end: () => unknown): void {
  endings.push(end)
}
