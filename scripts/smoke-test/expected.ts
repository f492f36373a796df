import { type ProblemCode, problems } from '../../lib/domain/problems.ts'

/** A GET request, and the answer of a deployment that works. */
export interface Expected {
  readonly title: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly status: number
  /** A problem that is also a right answer. */
  readonly orProblem?: ProblemCode
  /** What is wrong with the body of an answer of this status, or undefined. By default, any body is right. */
  readonly fault?: (body: Json, answer: Answer) => string | undefined
}

/** The answer to a request. */
export interface Answer {
  readonly status: number
  readonly text: string
  readonly requestId: string | null
  /** The time of the answer in milliseconds since 1970, by the clock of the server if it names the time. */
  readonly servedAt: number
}

// biome-ignore lint/suspicious/noExplicitAny: an answer can be any JSON
export type Json = any

/** A request with what is wrong with its answer. */
export interface Checked {
  readonly title: string
  readonly fault?: string | undefined
  /** The body of an answer that is right, and no problem. */
  readonly body?: Json
}

/** Longer than API Gateway waits for a function. */
const secondsForAnswer = 35

/**
 * Sends a request to a deployment, and compares the answer with the expected one. A fault has the path of the request,
 * but no header, and the body only of an answer of another status. Never rejects.
 */
export async function check(url: string, expected: Expected): Promise<Checked> {
  const { title, path, status, fault } = expected
  try {
    const answer = await answerTo(url, expected)
    if (isProblem(answer, expected.orProblem)) return { title }
    const shown = `GET ${path}: ${answer.status}`
    const end = `(request ${answer.requestId})`
    if (answer.status !== status) {
      return { title, fault: `${shown} ${answer.text.slice(0, 200)} ${end}, expected ${status}` }
    }
    const body = fault && JSON.parse(answer.text)
    const why = fault?.(body, answer)
    return why === undefined ? { title, body } : { title, fault: `${shown} ${end}: ${why}` }
  } catch (error) {
    const { message, cause } = error as Error
    return { title, fault: `GET ${path}: ${(cause as Error | undefined)?.message ?? message}` }
  }
}

const isProblem = ({ status, text }: Answer, code: ProblemCode | undefined): boolean =>
  code !== undefined && status === problems[code].status && JSON.parse(text).code === code

async function answerTo(url: string, { path, headers = {} }: Expected): Promise<Answer> {
  const signal = AbortSignal.timeout(secondsForAnswer * 1000)
  const response = await fetch(new URL(path, url), { headers, signal, redirect: 'manual' })
  return {
    status: response.status,
    text: await response.text(),
    requestId: response.headers.get('apigw-requestid'),
    servedAt: Date.parse(response.headers.get('date') ?? '') || Date.now(),
  }
}
