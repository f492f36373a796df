import * as v from 'valibot'
import { expect } from 'vitest'
import {
  type FieldError,
  type ProblemCode,
  problems,
  problemType,
} from '../../lib/contract/problems.ts'
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
export function expectWellFormedProblem({ status, headers, json, text }: Received): void {
  expect(headers.get('content-type'), text).toBe('application/problem+json')
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(v.safeParse(problemDetails, json).issues, text).toBeUndefined()
  const code: ProblemCode = json.code
  expect(json).toMatchObject({ status, type: problemType(code), title: problems[code].title })
  expect(status).toBe(problems[code].status)
  expect(headers.has('www-authenticate')).toBe(status === 401)
  expect(headers.has('retry-after')).toBe(status === 503)
}

/** The paths of the bad fields that a problem names. */
export const pathsOf = (errors: FieldError[]): string[] => errors.map(({ path }) => path)
