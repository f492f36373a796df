import type * as v from 'valibot'
import type { OpenChainFields, OpenChains, Route } from '../contract/route.ts'
import type { Limit, LimitName } from '../domain/limit/limit.ts'
import type { Player } from '../domain/player/player.ts'
import type { BeginningPorts, PlayerNftsBeginning } from '../domain/player/player-nfts-beginning.ts'
import type { PlayerTokenProductRule } from '../domain/player/player-token-product.ts'
import type { ProductUse } from '../domain/ports/limits.ts'
import type { Players, PlayerTokens } from '../domain/ports/players.ts'
import type { ApiKeys, ProductAccess } from '../domain/ports/product-keys.ts'
import type { UsageRecorder } from '../domain/ports/usage.ts'
import type { UserIdentity, UserJwts } from '../domain/ports/users.ts'
import type { ProductId } from '../domain/product/product.ts'
import type { KeyId } from '../domain/product/product-key.ts'
import type { StoredProduct } from '../domain/product/stored-product.ts'
import type { AcceptedAge } from '../domain/reading/freshness.ts'
import type { Deadline } from '../domain/time-budget.ts'
import type { Wire } from '../json/verbatim-json.ts'
import type { PlayerDigest } from '../observability/player-digest.ts'

/** The input of an operation: exactly the parts that its row names, verified and parsed. */
export type Input<R extends Route> = { deadline: Deadline } & (R extends { auth: 'PRODUCT' }
  ? {
      productId: ProductId
      /** The key of the request (D46); absent for a game that names its product without a key (D51). */
      keyId: R extends { clientAccess: true } ? KeyId | undefined : KeyId
      /**
       * The product as this request reads it; the read is in progress when the operation starts. Rejects
       * if the request is refused (D46).
       */
      access: Promise<StoredProduct>
    }
  : unknown) &
  (R extends { auth: 'USER' } ? { user: UserIdentity } : unknown) &
  (R extends { player: true } ? { player: Player } : unknown) &
  (R extends { bySourceAddress: true } ? { sourceAddress: string } : unknown) &
  (R extends { remembered: true } ? { acceptedAge: AcceptedAge } : unknown) &
  (R extends { auth: 'PRODUCT'; remembered: true }
    ? { begun?: PlayerNftsBeginning | undefined }
    : unknown) &
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
  (R extends { remembered: true } ? Freshness : unknown)

/** How fresh an answer is (D67). */
export interface Freshness {
  /** The moment of which the answer speaks, in milliseconds since 1970. */
  asOf: number
  /** Whether a part is older than the rules allow, because the indexer is down. */
  isStale?: boolean | undefined
}

/** The ports that identify the caller of an operation (specification 5). */
export type CallerPorts<R extends Route> = (R extends { auth: 'PRODUCT' }
  ? { apiKeys: ApiKeys; productAccess: ProductAccess; usage: UsageRecorder }
  : unknown) &
  (R extends { auth: 'PRODUCT'; limits: readonly LimitName[] }
    ? { productUse: ProductUse }
    : unknown) &
  (R extends { auth: 'USER' } ? { userJwts: UserJwts; playerDigest: PlayerDigest } : unknown) &
  (R extends { player: true }
    ? { playerTokens: PlayerTokens; players: Players; playerDigest: PlayerDigest }
    : unknown) &
  (R extends { auth: 'NONE'; player: true; limits: readonly LimitName[] }
    ? { playerLimits: readonly Limit[] }
    : unknown) &
  (R extends { clientAccess: true } ? { playerLimits: readonly Limit[] } : unknown) &
  (R extends { auth: 'PRODUCT'; player: true }
    ? { playerTokenProduct: PlayerTokenProductRule }
    : unknown) &
  (R extends { auth: 'PRODUCT'; remembered: true } ? BeginningPorts : unknown)

/** The settings of the deployment that the input of an operation depends on. */
export type InputSettings<R extends Route> = (R extends
  | { body: OpenChainFields }
  | { query: OpenChainFields }
  ? { openChains: OpenChains }
  : unknown) &
  (R extends { bySourceAddress: true } ? { edgeSecrets: readonly string[] } : unknown)

/** An operation: its row, and its function of the input and of ports. */
export interface Operation<R extends Route, Ports> {
  readonly route: R
  run(input: Input<R>, ports: Ports): Promise<Output<R>>
}

/** Declares what the operation of a row does. */
export const operation = <R extends Route, Ports = unknown>(
  route: R,
  run: (input: Input<R>, ports: Ports) => Promise<Output<R>>,
): Operation<R, Ports> => ({ route, run })
