/** Something that an account has not listed. */
export interface Unlisted {
  /** `the tables`. */
  readonly what: string
  readonly reason: string
  /** Whether a permission is missing, so that it is useless to ask again. */
  readonly isDenied: boolean
}

/** Asks for lists one after the other, and notes those that are not given. */
export interface Questions {
  readonly unlisted: readonly Unlisted[]
  /** The list, which is empty if the account does not give it. Never rejects. */
  list<Item>(what: string, asked: Promise<readonly Item[]>): Promise<readonly Item[]>
}

export function newQuestions(): Questions {
  const unlisted: Unlisted[] = []
  return {
    unlisted,
    async list(what, asked) {
      try {
        return await asked
      } catch (error) {
        unlisted.push({ what, reason: (error as Error).message, isDenied: isDenied(error) })
        return []
      }
    },
  }
}

/** Whether AWS has answered that a permission is missing. */
export const isDenied = (error: unknown): boolean => /^AccessDenied/.test((error as Error).name)
