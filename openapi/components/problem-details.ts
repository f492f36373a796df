import * as v from 'valibot'
import { seconds, shownWholeNumber } from '../../lib/contract/answers.ts'
import { limitNames } from '../../lib/domain/limit/limit.ts'
import type { ProblemCode } from '../../lib/domain/problems.ts'
import { problemCodes } from '../problems/problems.ts'

/** One bad field of a request (D2). */
export const fieldError = v.object({
  in: v.picklist(['body', 'query', 'header']),
  path: v.string(),
  message: v.string(),
})

/** An exhausted limit (D47). */
export const exhaustedLimit = v.object({
  name: v.picklist(limitNames),
  count: shownWholeNumber,
  perSeconds: v.exactOptional(seconds),
})

/** RFC 9457 problem details, as lib/contract/problem-details.ts has them (D2). */
export const problemDetails = v.object({
  success: v.literal(false),
  type: v.string(),
  title: v.string(),
  status: v.pipe(v.number(), v.integer(), v.minValue(400), v.maxValue(599)),
  detail: v.string(),
  code: v.picklist(problemCodes as [ProblemCode, ...ProblemCode[]]),
  requestId: v.string(),
  errors: v.exactOptional(v.array(fieldError)),
  limit: v.exactOptional(exhaustedLimit),
})

/** The same of the operations of OAuth 2.0 (RFC 6749, section 5.2). */
export const oauthProblem = v.object({
  error: v.string(),
  error_description: v.string(),
  ...problemDetails.entries,
})

/** The body of a response of API Gateway itself (D3). */
export const gatewayMessage = v.object({ message: v.string() })
