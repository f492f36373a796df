import * as v from 'valibot'
import { expect } from 'vitest'
import {
  type FieldError,
  type ProblemCode,
  problems,
  problemType,
} from '../../../lib/contract/problems.ts'
import type { Received } from './client.ts'

/** Every member of a problem of this service (RFC 9457; D2), and no other. */
const problemDetails = v.strictObject({
  success: v.literal(false),
  type: v.string(),
  title: v.string(),
  status: v.number(),
  detail: v.pipe(v.string(), v.minLength(10)),
  code: v.picklist(Object.keys(problems) as ProblemCode[]),
  requestId: v.pipe(v.string(), v.minLength(1)),
  errors: v.optional(
    v.array(
      v.strictObject({
        in: v.picklist(['body', 'query', 'header']),
        path: v.string(),
        message: v.string(),
      }),
    ),
  ),
})

/** Expects an answer to be this problem, whole and well formed; answers its bad fields. */
export function expectProblem(answer: Received, code: ProblemCode): FieldError[] {
  expect({ status: answer.status, code: answer.json?.code }, answer.text).toEqual({
    status: problems[code].status,
    code,
  })
  expectWellFormedProblem(answer)
  return answer.json.errors ?? []
}

/** Expects an answer to be some problem of D3 with all that D2, D3 and D5 ask of it. */
export const expectWellFormedProblem = (answer: Received): void =>
  expect(faultsOf(answer), answer.text).toEqual([])

/** What is wrong with an answer as a problem; one comparison, because it is made 100,000 times. */
function faultsOf({ status, headers, json }: Received): string[] {
  const code: ProblemCode = json?.code
  const known = problems[code] ?? { status: 0, title: '' }
  const holds = {
    'content-type': headers.get('content-type') === 'application/problem+json',
    'cache-control': headers.get('cache-control') === 'no-store',
    nosniff: headers.get('x-content-type-options') === 'nosniff',
    members: v.is(problemDetails, json),
    status: status === known.status && json?.status === status,
    type: json?.type === problemType(code),
    title: json?.title === known.title,
    'www-authenticate': headers.has('www-authenticate') === (status === 401),
    'retry-after': headers.has('retry-after') === (status === 503),
  }
  return Object.entries(holds).flatMap(([name, isRight]) => (isRight ? [] : [name]))
}

/** The paths of the bad fields that a problem names. */
export const pathsOf = (errors: FieldError[]): string[] => errors.map(({ path }) => path)
