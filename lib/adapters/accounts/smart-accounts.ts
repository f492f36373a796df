import { IndexerUnavailable } from '../../domain/failures.ts'
import type { AccountAnswer, SmartAccounts } from '../../domain/ports/sign-in.ts'
import { ChainUnavailable } from '../../domain/sign-in/failures.ts'
import { accountCallMilliseconds } from '../../domain/time-budget.ts'
import { unverified } from '../../json/unverified.ts'
import { downstreamCalls } from '../../observability/downstream-calls.ts'
import { askingWith, type IndexerPlace, isKeyRejection } from '../alchemy/asking.ts'
import { computeUnits } from '../alchemy/compute-units.ts'
import {
  exchange,
  FailedExchange,
  type HttpRequest,
  ResponseTooLarge,
} from '../alchemy/http-exchange.ts'
import { shownMessage } from '../alchemy/shown-message.ts'
import type { IndexerKey } from '../indexer-key.ts'
import { isOfExecution } from './call-errors.ts'
import { validatorAnswer, validatorCall } from './validator-call.ts'

/** The largest answer of a node that is read, in bytes. The validator answers one byte. */
const maxAnswerBytes = 16 * 1_024

const id = 1

/**
 * The smart accounts of chains, asked with one `eth_call` by the JSON-RPC of the indexer. What the node says of the execution is an
 * answer; everything else is a ChainUnavailable, which contains neither the key nor the URL. It counts as no failure of the indexer
 * (D30). When the indexer refuses the key, the key is read again once.
 */
export function nodeSmartAccounts(indexerKey: IndexerKey, place?: IndexerPlace): SmartAccounts {
  const ask = askingWith(indexerKey, place, accountCallMilliseconds)
  return {
    async judge({ address, chain }, text, signature) {
      const call = validatorCall(address, text, signature)
      if (!call) return 'refuses'
      const body = { jsonrpc: '2.0', id, method: 'eth_call', params: [call, 'latest'] }
      const answer = ask(
        chain,
        Date.now() + accountCallMilliseconds,
        async ({ jsonRpc: url, timeoutMs }) =>
          answerTo(requestOf(url, body), AbortSignal.timeout(timeoutMs)),
      )
      return await downstreamCalls.timed('smartAccounts', () =>
        answer.catch((error: unknown) => {
          throw unavailable(error)
        }),
      )
    },
  }
}

const requestOf = (url: string, body: object): HttpRequest => ({
  method: 'POST',
  url,
  headers: {
    accept: 'application/json',
    'accept-encoding': 'gzip',
    'content-type': 'application/json',
  },
  body: JSON.stringify(body),
  maxBodyBytes: maxAnswerBytes,
  maxErrorBytes: maxAnswerBytes,
  readsEveryStatus: true,
  units: computeUnits.eth_call,
})

/** The answer of an account; throws the failure of the call, which counts. */
async function answerTo(request: HttpRequest, timeout: AbortSignal): Promise<AccountAnswer> {
  try {
    return await answerOrFailure(request, timeout)
  } catch (error) {
    downstreamCalls.countFailure('smartAccounts')
    throw error
  }
}

async function answerOrFailure(request: HttpRequest, timeout: AbortSignal): Promise<AccountAnswer> {
  try {
    return readAnswer(await exchanged(request, timeout), request)
  } catch (error) {
    if (timeout.aborted) throw new ChainUnavailable(`timed out after ${accountCallMilliseconds} ms`)
    if (error instanceof ResponseTooLarge) return 'refuses'
    const { body } = error instanceof FailedExchange ? error : {}
    if (!body) throw error
    return readAnswer(body, request, error as FailedExchange)
  }
}

/** Sends the request, and again if the connection was lost before an answer, as one is that the node has closed meanwhile. */
async function exchanged(request: HttpRequest, timeout: AbortSignal): Promise<Buffer> {
  try {
    return await sent(request, timeout)
  } catch (error) {
    if (timeout.aborted || !(error instanceof FailedExchange) || !isReset(error)) throw error
    downstreamCalls.countFailure('smartAccounts')
    return await sent(request, timeout)
  }
}

function sent(request: HttpRequest, timeout: AbortSignal): Promise<Buffer> {
  const answered = downstreamCalls.begin('smartAccounts')
  downstreamCalls.countIndexerUnits(request.units)
  return exchange(request, answered ? AbortSignal.any([timeout, answered]) : timeout)
}

const isReset = ({ status, maxAttempts }: FailedExchange): boolean =>
  status === undefined && maxAttempts > 1

/** What a body says, whatever its status, if it is the answer to our call; throws `failure` for another body. */
function readAnswer(body: Buffer, { url }: HttpRequest, failure?: FailedExchange): AccountAnswer {
  const { id: answeredId, error, result } = unverified(parsed(body))
  const said = answeredId === id ? answerIn(error, result) : undefined
  if (said) return said
  // A refused key is read anew, whatever the body says.
  const isKeyless: boolean = isKeyRejection(failure)
  if (failure && (isKeyless || answeredId !== id)) throw failure
  const { code, message } = unverified(error)
  if (answeredId !== id || message === undefined)
    throw new ChainUnavailable('malformed answer: not that of our call')
  const reason = `a JSON-RPC error ${Number(code)}: ${shownMessage(`${message}`, url)}`
  throw new ChainUnavailable(reason, failure?.status === 429 || code === 429)
}

function answerIn(error: unknown, result: unknown): AccountAnswer | undefined {
  if (error === undefined || error === null) return validatorAnswer(result)
  return isOfExecution(error) ? 'refuses' : undefined
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}

/** A failure of the call as one of the chain. What the service itself lacks, such as the key, stays what it is. */
function unavailable(error: unknown): unknown {
  if (!(error instanceof IndexerUnavailable)) return error
  const isOfNode = error instanceof FailedExchange && isOfNodeAlone(error)
  return new ChainUnavailable(error.reason, isOfNode, error.retryAfterSeconds)
}

/** Whether no caller can cause it: there was no connection, or the node says that it fails. */
const isOfNodeAlone = (failure: FailedExchange): boolean => {
  const { status } = failure
  return status === undefined ? !isReset(failure) : status >= 500 || status === 429
}
