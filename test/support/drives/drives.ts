import { expect } from 'vitest'
import type { Received } from '../requests/client.ts'

/** By the names of functions: what makes a function perform every call that its code can make. */
export type Drives = Readonly<Record<string, () => Promise<unknown>>>

/** Expects a success. */
export async function ok(answer: Promise<Received>): Promise<void> {
  const { status, text } = await answer
  expect(status, text).toBe(200)
}
