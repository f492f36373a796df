import type { ProblemCode } from '../../lib/domain/problems.ts'
import { credentialProblems } from './credential-problems.ts'
import type { ProblemEntry } from './problem-entry.ts'
import { productProblems } from './product-problems.ts'
import { proofProblems } from './proof-problems.ts'
import { requestProblems, serviceProblems } from './request-problems.ts'
import { signInProblems } from './sign-in-problems.ts'
import { webhookProblems } from './webhook-problems.ts'

const entries: Readonly<Record<ProblemCode, ProblemEntry>> = {
  ...requestProblems,
  ...credentialProblems,
  ...proofProblems,
  ...productProblems,
  ...signInProblems,
  ...webhookProblems,
  ...serviceProblems,
}

/** Every problem of the API by its code, in the order of the statuses. */
export const problems = Object.fromEntries(
  Object.entries(entries).sort(([, one], [, other]) => one.status - other.status),
) as typeof entries

/** The codes of all problems, in this order. */
export const problemCodes = Object.keys(problems) as ProblemCode[]
