import type { ReadingPosition } from '../reading/reading-position.ts'
import type { Deadline } from '../time-budget.ts'

/** Cursors: reading positions that the caller keeps between two requests. Authenticated, not secret (D25). */
export interface Cursors {
  seal(position: ReadingPosition & { expiresAt: Deadline }, context: CursorContext): Promise<string>
  /**
   * The sealed position; `undefined` for a text of another scope. Throws CursorExpired if it is too old or the basis
   * has changed.
   */
  open(cursor: string, context: CursorContext): Promise<ReadingPosition | undefined>
}

/** The use of a cursor: `scope` identifies the request, `basis` the state of the data. Both must match. */
export interface CursorContext {
  scope: readonly string[]
  basis: readonly string[]
}
