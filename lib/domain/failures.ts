import type { ContractKey } from './allowlist.ts'

/**
 * What can go wrong for a caller, in the service's own words. Everything else that is thrown is a
 * defect. The HTTP side turns each into one problem (D2, D3).
 */
export abstract class Failure extends Error {}

/** The contract is not connected to the product (404 `contract_not_connected`; D19, D20, D31). */
export class ContractNotConnected extends Failure {
  constructor(contract: Pick<ContractKey, 'address'> & { chain?: string | undefined }) {
    const where = contract.chain ? ` on ${contract.chain}` : ''
    super(`Contract ${contract.address}${where} is not connected to this product.`)
  }
}

/** One input field is well formed but cannot be accepted (400 `invalid_request`). */
export class InvalidInput extends Failure {
  readonly field: { in: 'body' | 'query' | 'header'; path: string }
  constructor(field: InvalidInput['field'], message: string) {
    super(message)
    this.field = field
  }
}

/** A reading position has grown too old, or what it pointed into has changed (400 `cursor_expired`; D25). */
export class CursorExpired extends Failure {
  constructor() {
    super('This cursor has expired or the contracts have changed; start again without a cursor.')
  }
}

/** A user JWT that is not accepted (401 `invalid_user_token`; D21). */
export class InvalidUserJwt extends Failure {}

/** A player token that is not accepted (401 `invalid_player_token`; D23). */
export class InvalidPlayerToken extends Failure {}

/** A player token past its 24 hours (401 `player_token_expired`; D23). */
export class PlayerTokenExpired extends Failure {
  constructor() {
    super('The player token has expired; ask for a new one.')
  }
}

/** Something the answer depends on is unavailable for now. */
abstract class Unavailable extends Failure {
  /** What happened, for the log, in our own words: never upstream text, a URL or a key. */
  readonly reason: string
  readonly retryAfterSeconds: number
  constructor(message: string, reason: string, retryAfterSeconds: number) {
    super(message)
    this.reason = reason
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** The indexer is down, slow, throttled or talking nonsense (503 `indexer_unavailable`; D30). */
export class IndexerUnavailable extends Unavailable {
  constructor(reason: string, retryAfterSeconds = 5) {
    super(
      'The NFT indexer does not answer as it should at the moment; try again shortly.',
      reason,
      retryAfterSeconds,
    )
  }
}

/** A part of the service itself (table, keys, queue) is unavailable (503 `service_unavailable`). */
export class ServiceUnavailable extends Unavailable {
  constructor(reason: string, retryAfterSeconds = 2) {
    super(
      'The service is overloaded or partly unavailable at the moment; try again shortly.',
      reason,
      retryAfterSeconds,
    )
  }
}
