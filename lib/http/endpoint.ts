import type * as v from 'valibot'
import type { OpenChainFields, OpenChains, Route } from '../contract/route.ts'
import type { LimitName } from '../domain/limit/limit.ts'
import type { Player } from '../domain/player/player.ts'
import type { ProductUse } from '../domain/ports/limits.ts'
import type { UserIdentity } from '../domain/ports/players.ts'
import type { ProductId } from '../domain/product/product.ts'
import type { KeyId } from '../domain/product/product-key.ts'
import type { StoredProduct } from '../domain/product/stored-product.ts'
import type { AcceptedAge } from '../domain/reading/freshness.ts'
import type { SendingPage } from '../domain/sign-in/asking-network.ts'
import type { Session } from '../domain/sign-in/session.ts'
import type { SessionPorts } from '../domain/sign-in/signed-in.ts'
import type { Deadline } from '../domain/time-budget.ts'
import type { UsageRecorder } from '../domain/usage/usage-recorder.ts'
import type { Wire } from '../json/verbatim-json.ts'
import type { PlayerDigest } from '../observability/player-digest.ts'
import type { GamePorts, KnownCaller } from './caller.ts'
import type { ProductPorts, UserPorts } from './credentials.ts'
import type { PlayerPorts } from './player-token.ts'
import type { SourceAddressOf } from './source-address.ts'

/** The input of an operation: exactly the parts that its row names, verified and parsed. */
export type Input<R extends Route> = { deadline: Deadline } & (R extends { auth: 'PRODUCT' }
  ? {
      productId: ProductId
      /** The key of the request (D46); absent for a game that names its product without a key (D51). */
      keyId: R extends { clientAccess: true } ? KeyId | undefined : KeyId
      /**
       * The product as this request reads it, in progress when the operation starts. Rejects if the request is refused
       * (D46).
       */
      access: Promise<StoredProduct>
    }
  : unknown) &
  (R extends { auth: 'USER' } ? { user: UserIdentity } : unknown) &
  (R extends { auth: 'SESSION' }
    ? { session: R extends { isSessionOptional: true } ? Session | undefined : Session }
    : unknown) &
  (R extends { player: true } ? { player: Player } : unknown) &
  (R extends { bySourceAddress: true } ? { sourceAddress: string } : unknown) &
  (R extends { bySendingPage: true } ? { sendingPage: SendingPage } : unknown) &
  (R extends { hasAge: true } ? { acceptedAge: AcceptedAge } : unknown) &
  (R extends { pathParameters: readonly (infer Name extends string)[] }
    ? { path: { readonly [Parameter in Name]: string } }
    : unknown) &
  (R extends { body: infer Body extends v.GenericSchema }
    ? { body: v.InferOutput<Body> }
    : unknown) &
  (R extends { query: infer Query extends v.GenericSchema }
    ? { query: v.InferOutput<Query> }
    : unknown)

/** The output of an operation: `data` as its row describes it and, for a paged operation, the next cursor. */
export type Output<R extends Route> = { data: Wire<v.InferInput<R['answer']>> } & (R extends {
  form: 'paged'
}
  ? { nextCursor?: string | undefined }
  : unknown) &
  (R extends { hasAge: true } ? Freshness : unknown) &
  (R extends { maxAgeSeconds: number } ? MaxAge : unknown)

/** How long caches may keep an answer, in seconds, if it is not as long as the row says. */
export interface MaxAge {
  maxAgeSeconds?: number
}

/** How fresh an answer is (D156). */
export interface Freshness {
  /** The moment of which the answer speaks, in milliseconds since 1970. */
  asOf: number
  /** The same of the parts on main networks, for the log (D145). */
  mainAsOf?: number | undefined
  /** Whether a part is older than the rules allow, because the indexer is down. */
  isStale?: boolean | undefined
  /** The number of contracts that it has read from what is kept, and of those that the indexer was asked about, for the log. */
  contracts?: { kept: number; queried: number } | undefined
}

/** The ports that identify the caller of an operation (specification 5), and count the request. */
export type CallerPorts<R extends Route> = (R extends { auth: 'PRODUCT' }
  ? ProductPorts & { usage: UsageRecorder }
  : unknown) &
  (R extends { auth: 'PRODUCT'; limits: readonly LimitName[] }
    ? { productUse: ProductUse }
    : unknown) &
  (R extends { auth: 'USER' }
    ? UserPorts & { playerDigest: PlayerDigest; sourceAddressOf: SourceAddressOf }
    : unknown) &
  (R extends { auth: 'SESSION' } ? SessionPorts & { playerDigest: PlayerDigest } : unknown) &
  (R extends { player: true } ? PlayerPorts & { playerDigest: PlayerDigest } : unknown) &
  (R extends { auth: 'PRODUCT'; player: true } ? GamePorts : unknown)

/** The settings of the deployment that the input of an operation depends on. */
export type InputSettings<R extends Route> = (R extends
  | { body: OpenChainFields }
  | { query: OpenChainFields }
  ? { openChains: OpenChains }
  : unknown) &
  (R extends { bySourceAddress: true } ? { sourceAddressOf: SourceAddressOf } : unknown)

/** What an operation tells the chain beside its function. */
export interface Hooks<R extends Route, Ports, Begun> {
  /**
   * Begins reads of a request with an API key and a player token that do not need the player, so that they run beside
   * the read of the player. Is called once the token is verified; its result is `begun` in the input.
   */
  beforePlayer?(caller: KnownCaller, ports: Ports): Begun
  /** The number of NFTs that a request allowlists, which counts against the limit of them (D47). */
  nfts?(input: Input<R>): number
}

/** The input of an operation that begins something before the player is known. */
export type WithBegun<Begun> = unknown extends Begun ? unknown : { begun: Begun }
