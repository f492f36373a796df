import { type Answer, inTime, onBsc } from './alchemy-stub.ts'
import { hash } from './event-log-json.ts'

/** A call of a batch. */
export interface Call {
  id: number
  method: string
  params: [{ to: string; data: string }, unknown]
}

export const block = { number: 100, hash }

/** A question about the contract with a distant deadline. */
export const askState = () => ({ contract: onBsc, block, deadline: inTime() })

/** The error of a call that a contract reverts. */
export const reverted = (code: number, message: string) => ({ error: { code, message } })

/** Responds to each call of a batch: with a result, or with the members of a response. */
export const byCall =
  (
    answerTo: (data: string, index: number, block: unknown) => unknown,
    { isReversed = false } = {},
  ): Answer =>
  (response, { body }) => {
    const responses = (JSON.parse(body) as Call[]).map(({ id, params: [{ data }, at] }) => {
      const answer = answerTo(data, id, at)
      const members = typeof answer === 'string' ? { result: answer } : (answer as object)
      return { jsonrpc: '2.0', id, ...members }
    })
    response.end(JSON.stringify(isReversed ? responses.reverse() : responses))
  }
