import type { ClientRequest, IncomingMessage } from 'node:http'
import type { Attempt, EndpointAnswer } from '../../domain/ports/webhooks.ts'
import type { AttemptFailure } from '../../domain/webhooks/webhook.ts'
import { retryAfterSeconds } from '../retry-after.ts'

export type Outcome = Pick<Attempt, 'answer' | 'failure'>

const maxHeaders = 100

const maxInterimAnswers = 10

/**
 * What a request leads to. The answer is complete as soon as the wanted bytes of its body have arrived, or the whole body. If none are
 * wanted, it is complete with its headers. Informational answers (1xx) are not the answer. Never rejects. The caller ends the
 * connection.
 */
export function outcomeOf(outgoing: ClientRequest, answerBytes: number): Promise<Outcome> {
  const { promise, resolve } = Promise.withResolvers<Outcome>()
  const fail = (failure: AttemptFailure) => resolve({ failure })
  let interimAnswers = 0
  outgoing.on('error', (error: NodeJS.ErrnoException) => fail(failureOf(error)))
  outgoing.on('information', () => {
    interimAnswers += 1
    if (interimAnswers > maxInterimAnswers) fail('answer_malformed')
  })
  // Nobody asked to change the protocol.
  outgoing.on('upgrade', () => fail('answer_malformed'))
  outgoing.on('response', (response) => {
    const head = headOf(response)
    if (!head) return fail('answer_malformed')
    // At once: what follows the headers, such as the end of the connection, changes nothing then.
    if (answerBytes === 0) return resolve({ answer: { ...head, body: '' } })
    beginningOf(response, answerBytes).then(
      (body) => resolve({ answer: { ...head, body } }),
      () => fail('connection_failed'),
    )
  })
  return promise
}

/** The status of an answer, and how long it asks to be left alone; nothing if it has too many headers, or no status of HTTP. */
function headOf(response: IncomingMessage): EndpointAnswer | undefined {
  const { statusCode: status = 0, headers, rawHeaders } = response
  if (status < 200 || rawHeaders.length > 2 * maxHeaders) return undefined
  return { status, retryAfterSeconds: retryAfterSeconds(headers['retry-after']) }
}

/** The beginning of a body as text, without a last character that is cut. Throws if the connection ends before. */
async function beginningOf(response: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes >= maxBytes) break
  }
  const beginning = Buffer.concat(chunks).subarray(0, maxBytes)
  return new TextDecoder().decode(beginning, { stream: true })
}

/** The codes of the machine, except the one for the protocol of TLS, and those of Node that are not of TLS. */
const connectionCodes = /^(?:E(?!PROTO$)[A-Z\d]+|ERR_(?!TLS_|SSL_|OSSL_).*)$/

/** The failure that an error means. All other codes than those of connections and of the parser are of TLS and certificates. */
function failureOf({ code = 'EUNKNOWN' }: NodeJS.ErrnoException): AttemptFailure {
  if (code.startsWith('HPE_')) return 'answer_malformed'
  return connectionCodes.test(code) ? 'connection_failed' : 'certificate_invalid'
}
