import * as v from 'valibot'
import { expect } from 'vitest'
import { formExpected } from '../../../lib/contract/oauth.ts'
import { type FieldError, problemType } from '../../../lib/contract/problem-details.ts'
import type { Route } from '../../../lib/contract/route.ts'
import { type ProblemCode, problems } from '../../../lib/domain/problems.ts'
import {
  exhaustedLimit,
  fieldError,
  oauthProblem,
  problemDetails,
} from '../../../openapi/components/problem-details.ts'
import type { Received } from './client.ts'

/** Whether an operation answers errors of OAuth, which are problems with more members. */
type Form = Pick<Route, 'oauth'>

/** A problem with the members that the document describes (D2), no others, and no empty texts. */
const strictly = ({ entries }: typeof problemDetails | typeof oauthProblem) =>
  v.strictObject({
    ...entries,
    detail: v.pipe(v.string(), v.minLength(10)),
    requestId: v.pipe(v.string(), v.minLength(1)),
    errors: v.optional(v.array(v.strictObject(fieldError.entries))),
    limit: v.optional(v.strictObject(exhaustedLimit.entries)),
  })

const strictProblem = strictly(problemDetails)
const strictOauthProblem = strictly(oauthProblem)

/** Expects a response to be this problem, complete and well formed; returns its invalid fields. */
export function expectProblem(answer: Received, code: ProblemCode, form: Form = {}): FieldError[] {
  expect({ status: answer.status, code: answer.json?.code }, answer.text).toEqual({
    status: problems[code].status,
    code,
  })
  expectWellFormedProblem(answer, form)
  return answer.json.errors ?? []
}

/** Expects a response to be any problem of D3, with everything that D2, D3 and D5 require. */
export const expectWellFormedProblem = (answer: Received, form: Form = {}): void =>
  expect(faultsOf(answer, form), answer.text).toEqual([])

/** The faults of a response as a problem, for one comparison, because it is made 100,000 times. */
function faultsOf({ status, headers, json }: Received, { oauth }: Form): string[] {
  const code: ProblemCode = json?.code
  const { status: known, title } = problems[code] ?? { status: 0, title: '' }
  const type = oauth ? 'application/json' : 'application/problem+json'
  const isOfForm = oauth && code === 'unsupported_media_type'
  const holds = {
    'content-type': headers.get('content-type') === type,
    'cache-control': headers.get('cache-control') === 'no-store',
    nosniff: headers.get('x-content-type-options') === 'nosniff',
    members: v.is(oauth ? strictOauthProblem : strictProblem, json),
    status: status === known && json?.status === status,
    type: json?.type === problemType(code),
    title: json?.title === (isOfForm ? formExpected.title : title),
    'www-authenticate': headers.has('www-authenticate') === (status === 401),
    'retry-after': headers.has('retry-after') === (status === 429 || status === 503),
    limit: (json?.limit !== undefined) === (code === 'rate_limited'),
  }
  return Object.entries(holds).flatMap(([name, isRight]) => (isRight ? [] : [name]))
}

/** The paths of the invalid fields that a problem names. */
export const pathsOf = (errors: FieldError[]): string[] => errors.map(({ path }) => path)

/** The message for a field that takes any known chain, and has the name of none (D56). */
export const anyChainMessage =
  'must be one of AMOY, ARBITRUM, ARBITRUM_SEPOLIA, AVALANCHE, BASE, BASE_SEPOLIA, BSC, BSC_TESTNET, ' +
  'ETHEREUM, FUJI, MUMBAI, OPTIMISM, OPTIMISM_SEPOLIA, POLYGON, RONIN, SAIGON, SEPOLIA'
