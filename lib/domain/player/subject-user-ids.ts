import type { UserIds } from '../ports/users.ts'

/** User ids that are the subjects themselves, which user JWTs give as decimal integers (D21). */
export const subjectUserIds: UserIds = {
  idOf: async ({ subject }) => Number(subject),
}
