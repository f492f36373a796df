import type { ShownLimit } from './limit/limit.ts'
import type { ContractKey } from './nft/nft.ts'
import type { ProblemCode } from './problems.ts'

/**
 * A request that cannot succeed: it becomes the problem of its code, with its message as the detail (D2, D3). All else
 * is a defect.
 */
export abstract class Failure extends Error {
  abstract readonly code: ProblemCode
}

/** The contract is not connected to the product (D19, D20, D31). */
export class ContractNotConnected extends Failure {
  readonly code = 'contract_not_connected'
  constructor(contract: Pick<ContractKey, 'address'> & { chain?: string | undefined }) {
    const where = contract.chain ? ` on ${contract.chain}` : ''
    super(`Contract ${contract.address}${where} is not connected to this product.`)
  }
}

/** An input field is well formed but cannot be accepted. The message continues the field's name. */
export class InvalidInput extends Failure {
  readonly code = 'invalid_request'
  readonly field: { in: 'body' | 'query' | 'header'; path: string }
  constructor(field: InvalidInput['field'], message: string) {
    super(message)
    this.field = field
  }
}

/** A cursor is too old, or the data that it belongs to has changed (D25). */
export class CursorExpired extends Failure {
  readonly code = 'cursor_expired'
  override readonly message =
    'This cursor has expired or the contracts have changed; start again without a cursor.'
}

/** The API key works, but not for this operation (D46). */
export class InsufficientScope extends Failure {
  readonly code = 'insufficient_scope'
  override readonly message =
    'This API key has the scope READ; this operation requires a key with the scope MANAGE.'
}

/** The product has no API key with this identity (D46). */
export class KeyNotFound extends Failure {
  readonly code = 'key_not_found'
  override readonly message = 'This product has no API key with this keyId.'
}

/** The API key has ended before (D46). */
export class KeyEnded extends Failure {
  readonly code = 'key_ended'
  override readonly message = 'This API key has ended already.'
}

/** Without this API key, the product would have no key that manages it and has no end (D46). */
export class LastKey extends Failure {
  readonly code = 'last_key'
  override readonly message =
    'This is the last API key with the scope MANAGE and without an end; create another such key first.'
}

/** The product has the maximum number of API keys that work (D46). */
export class TooManyKeys extends Failure {
  readonly code = 'too_many_keys'
  constructor(max: number) {
    super(`A product can have ${max} API keys that work; end a key first.`)
  }
}

/** The allowlist of a contract, all allowlists of a product, or a request to unbind has too many ranges (D57). */
export class TooManyRanges extends Failure {
  readonly code = 'too_many_ranges'
  constructor(of: keyof typeof withTooManyRanges, max: number) {
    super(
      `${withTooManyRanges[of]} more than ${max.toLocaleString('en')} ranges; nothing has changed.`,
    )
  }
}

const withTooManyRanges = {
  contract: 'The allowlist of the contract would have',
  product: 'The allowlists of this product would have',
  request: 'The request unbinds',
}

/** The events of too many contracts would be logged, of a product or of the deployment (D119). */
export class TooManyWebhookContracts extends Failure {
  readonly code = 'too_many_webhook_contracts'
}

/** The product has no webhook with this identity (D121). */
export class WebhookNotFound extends Failure {
  readonly code = 'webhook_not_found'
  override readonly message =
    'This product has no webhook with this identity; GET /product/webhooks lists them.'
}

/** The product has as many webhooks as it can have (D121). */
export class TooManyWebhooks extends Failure {
  readonly code = 'too_many_webhooks'
  constructor(max: number) {
    super(`A product can have ${max} webhooks; delete one first.`)
  }
}

/** The server at the URL of the webhook has not answered a test, so it gets no events (D121). */
export class WebhookNotVerified extends Failure {
  readonly code = 'webhook_not_verified'
  override readonly message =
    'The server at the URL of this webhook must answer a test first: POST …/test.'
}

/** The ranges of one request to unbind cover too many single NFTs of the allowlist (D57). */
export class TooManyNfts extends Failure {
  readonly code = 'too_many_nfts'
  constructor(max: number) {
    super(
      `The ranges cover more than ${max.toLocaleString('en')} single NFTs of the allowlist, and nothing has changed; unbind smaller ranges, or the contract.`,
    )
  }
}

/** The operator of the service has stopped the product (D45). */
export class ProductStopped extends Failure {
  readonly code = 'product_stopped'
  override readonly message =
    'The operator of this service has stopped this product; ask the operator for the reason.'
}

/** A caller has exhausted a limit (D47). */
export class RateLimited extends Failure {
  readonly code = 'rate_limited'
  readonly limit: ShownLimit
  readonly retryAfterSeconds: number
  constructor(limit: ShownLimit, retryAfterSeconds: number) {
    const period = limit.perSeconds === undefined ? '' : ` in ${limit.perSeconds} seconds`
    super(
      `The limit ${limit.name} is exhausted: ${limit.count}${period}. Try again in ${retryAfterSeconds} seconds.`,
    )
    this.limit = limit
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** A service that the response depends on is unavailable for now. */
export abstract class Unavailable extends Failure {
  /** The cause, for the log, in the service's own words: never a URL or a key, and upstream text only as D139 permits it. */
  readonly reason: string
  readonly retryAfterSeconds: number
  constructor(message: string, reason: string, retryAfterSeconds: number) {
    super(message)
    this.reason = reason
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** The indexer is down, slow or throttled, or its response is malformed (D30). Every method of the port Indexer can throw it. */
export class IndexerUnavailable extends Unavailable {
  readonly code = 'indexer_unavailable'
  constructor(reason: string, retryAfterSeconds = 5) {
    super(
      'The NFT indexer does not answer as it should at the moment; try again shortly.',
      reason,
      retryAfterSeconds,
    )
  }
}

/**
 * A part of the service itself is unavailable, or the request ran out of time. Every method of every port can throw it.
 */
export class ServiceUnavailable extends Unavailable {
  readonly code = 'service_unavailable'
  constructor(reason: string, retryAfterSeconds = 2) {
    super(
      'The service is overloaded or partly unavailable at the moment; try again shortly.',
      reason,
      retryAfterSeconds,
    )
  }
}

/** For the `catch` of a call that its caller can do without: nothing if the service is unavailable. Throws any other error. */
export function unlessUnavailable(error: unknown): undefined {
  if (!(error instanceof ServiceUnavailable)) throw error
}
