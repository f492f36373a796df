import { routes } from '../../functions/operations.ts'
import { example, type InvalidRequestDocumentation } from '../../lib/contract/documentation.ts'
import { formExpected, oauthErrorOf } from '../../lib/contract/oauth.ts'
import {
  detailOfErrors,
  type FieldError,
  type ProblemDetails,
  problemType,
} from '../../lib/contract/problem-details.ts'
import { problemsOf, type Route } from '../../lib/contract/route.ts'
import type { ProblemCode } from '../../lib/domain/problems.ts'
import { gatewayMessage, oauthProblem, problemDetails } from '../components/problem-details.ts'
import { mark, needOfProblem } from '../needs.ts'
import type { ProblemEntry } from '../problems/problem-entry.ts'
import { problemCodes, problems } from '../problems/problems.ts'
import { jsonSchemaOf } from './json-schema.ts'

type Json = Record<string, unknown>
type Example = [name: ProblemCode, object: Json]

const statusOf = (code: ProblemCode): number => problems[code].status

/**
 * The messages of API Gateway under a status that the service also uses (D3): the body exceeds Lambda's
 * limit, a throttle of API Gateway applies, a function fails, a function times out.
 */
const gatewayMessages: Record<number, string> = {
  413: 'Request Entity Too Large',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
}

/** The problems of one operation that share a status, with an example of each. */
export function problemResponse(
  codes: readonly ProblemCode[],
  invalidRequest?: InvalidRequestDocumentation,
): Json {
  const [code] = codes
  if (code && codes.length === 1 && standsAlone(code)) return { $ref: pointer('responses', code) }
  const description = codes.map((name) => `\`${name}\`: ${problems[name].title}.`).join(' ')
  const examples = codes.map((name) =>
    name === 'invalid_request' && invalidRequest
      ? invalidRequestExample(invalidRequest)
      : exampleReference(name),
  )
  return { description, ...problemBody(codes, examples) }
}

const pointer = (kind: 'examples' | 'responses', name: string) => `#/components/${kind}/${name}`

/** Whether some operation has this problem alone under its status, so that the shared example suits it. */
const standsAlone = (code: ProblemCode): boolean =>
  code !== 'invalid_request' &&
  Object.values<Route>(routes).some((route) => {
    if (route.oauth) return false
    const sameStatus = problemsOf(route).filter((other) => statusOf(other) === statusOf(code))
    return sameStatus.length === 1 && sameStatus[0] === code
  })

/**
 * Each problem as a response of its own, to which its `type` points. A problem that always shares its
 * status refers to the common response and adds its description, because linters require that every
 * full entry is used.
 */
export const namedProblems = (): Json => ({
  ...Object.fromEntries(
    problemCodes.map((code) => {
      const { description } = problems[code]
      return [
        code,
        standsAlone(code)
          ? { description, ...problemBody([code], [exampleReference(code)]) }
          : { $ref: pointer('responses', 'problem'), description },
      ]
    }),
  ),
  problem: {
    description: 'A failure, as problem details.',
    headers: { ...headers.every, ...headers[401], ...retryAfter },
    content: problemContent(problemCodes.map(exampleReference)),
  },
})

/** A reference to the response of each problem, by code. */
export const problemReferences = (): Json =>
  Object.fromEntries(problemCodes.map((code) => [code, { $ref: pointer('responses', code) }]))

/** An example of each problem. */
export const problemExamples = (): Json =>
  Object.fromEntries(
    problemCodes.map((code) => [
      code,
      {
        summary: problems[code].title,
        value: problemExample(code, problems[code]),
        ...mark(needOfProblem(code)),
      },
    ]),
  )

const invalidRequestExample = (invalidRequest: InvalidRequestDocumentation): Example => [
  'invalid_request',
  {
    summary: invalidRequest.summary,
    value: problemExample('invalid_request', withErrors(invalidRequest)),
  },
]

function withErrors({ sent, faults }: InvalidRequestDocumentation) {
  const place = 'body' in sent ? 'body' : 'query'
  const errors = Object.entries(faults).map(
    ([path, message]): FieldError => ({ in: place, path, message }),
  )
  return { detail: detailOfErrors(errors), errors }
}

const exampleReference = (code: ProblemCode): Example => [code, { $ref: pointer('examples', code) }]

const retryAfter: Json = { 'Retry-After': { $ref: '#/components/headers/Retry-After' } }

const headers: Record<'every' | number, Json> = {
  every: { 'Cache-Control': { $ref: '#/components/headers/NoStore' } },
  401: { 'WWW-Authenticate': { $ref: '#/components/headers/WWW-Authenticate' } },
  415: { 'Accept-Encoding': { $ref: '#/components/headers/Accept-Encoding' } },
  429: retryAfter,
  503: retryAfter,
}

function problemBody(codes: readonly ProblemCode[], examples: readonly Example[]): Json {
  const [status = 0] = codes.map(statusOf)
  const message = gatewayMessages[status]
  return {
    headers: { ...headers.every, ...headers[status] },
    content: { ...problemContent(examples), ...(message && gatewayContent(message)) },
  }
}

const problemContent = (examples: readonly Example[]): Json => ({
  'application/problem+json': {
    schema: jsonSchemaOf(problemDetails),
    examples: Object.fromEntries(examples),
  },
})

/** The content of a response of API Gateway itself. */
export const gatewayContent = (message: string): Json => ({
  'application/json': { schema: jsonSchemaOf(gatewayMessage), example: { message } },
})

const problemExample = (
  code: ProblemCode,
  { detail, errors, limit }: Pick<ProblemEntry, 'detail' | 'errors' | 'limit'>,
): ProblemDetails => ({
  success: false,
  type: problemType(code),
  title: problems[code].title,
  status: statusOf(code),
  detail,
  code,
  requestId: example.requestId,
  ...(errors && { errors: [...errors] }),
  ...(limit && { limit }),
})

const titleOf = (code: ProblemCode): string =>
  code === 'unsupported_media_type' ? formExpected.title : problems[code].title

/** The problems of one operation of OAuth 2.0 that share a status (RFC 6749, section 5.2). */
export function oauthResponse(
  codes: readonly ProblemCode[],
  invalidRequest?: InvalidRequestDocumentation,
): Json {
  const [status = 0] = codes.map(statusOf)
  const examples = codes.map((code) => {
    const problem = problemExample(
      code,
      code === 'invalid_request' && invalidRequest ? withErrors(invalidRequest) : problems[code],
    )
    const ofForm = code === 'unsupported_media_type' && formExpected
    const error = oauthErrorOf(code)
    const { detail } = ofForm || problem
    const value = { error, error_description: detail, ...problem, ...ofForm }
    return [code, { summary: titleOf(code), value }]
  })
  return {
    description: codes.map((name) => `\`${name}\`: ${titleOf(name)}.`).join(' '),
    headers: { ...headers.every, ...headers[status] },
    content: {
      'application/json': {
        schema: jsonSchemaOf(oauthProblem),
        examples: Object.fromEntries(examples),
      },
    },
  }
}
