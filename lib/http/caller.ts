import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import type { FieldError } from '../contract/problem-details.ts'
import type { Route } from '../contract/route.ts'
import type { Player } from '../domain/player/player.ts'
import {
  checkPlayerTokenProduct,
  type PlayerTokenProductRule,
} from '../domain/player/player-token.ts'
import type { VerifiedPlayerToken } from '../domain/ports/players.ts'
import type { ProductId } from '../domain/product/product.ts'
import type { AcceptedAge } from '../domain/reading/freshness.ts'
import type { SessionPorts } from '../domain/sign-in/signed-in.ts'
import type { CountedCall } from './counted-call.ts'
import { type Identity, identify, type ProductPorts, type UserPorts } from './credentials.ts'
import { afterPermission } from './permission.ts'
import { identifyToken, type PlayerPorts, readPlayer } from './player-token.ts'

/** The caller of a request, as far as the route needs it. */
export type Caller = Identity & {
  player?: Player | undefined
  /** The age that the caller accepts, if the answer can be of what is kept (D156). */
  acceptedAge?: AcceptedAge
  /** What the operation has begun before the player was known. */
  begun?: unknown
  /** The fault of a player token that is missing or sent twice; reported with the faults of the input (D3, D23). */
  playerTokenError?: FieldError | undefined
}

/** What is known of a caller before the player is. */
export interface KnownCaller {
  productId: ProductId
  userId: number
  /** The age that the caller accepts; any, if the answer cannot be of what is kept. */
  acceptedAge: AcceptedAge
}

export interface GamePorts {
  playerTokenProduct: PlayerTokenProductRule
}

/** The ports of all callers, of which a route has those that its row names. */
export type AllCallerPorts = ProductPorts & UserPorts & SessionPorts & PlayerPorts & GamePorts

/**
 * Identifies the caller. A fault of the API key or user JWT comes before a fault of the player token
 * (D3); both are verified at the same time. Starts to read the permission of an API key, in one request with the player,
 * and waits for it only if the player token has a fault. Notes the product and the player of the request. Throws a Problem or a
 * Failure. `beforePlayer` is called once the product and a valid player token are known.
 */
export async function readCaller(
  route: Route,
  { event, call }: { event: APIGatewayProxyEventV2; call: CountedCall },
  query: URLSearchParams,
  ports: AllCallerPorts,
  beforePlayer?: (caller: KnownCaller) => unknown,
): Promise<Caller> {
  const token = route.player ? identifyToken(route, event, query, ports) : undefined
  const credential = identify(route, event, query, token, ports)
  const bothIdentified = token && credential.then(() => token)
  const player = bothIdentified && readPlayer(route, event, bothIdentified, ports)
  // When the credential fails, nothing awaits them.
  token?.catch(() => undefined)
  player?.catch(() => undefined)
  const accepted = route.hasAge && {
    acceptedAge: acceptedAgeOf(event.headers['cache-control']),
  }
  const identity = { ...(await credential), ...accepted }
  if (identity.access) call.belongTo(identity.productId, identity.access)
  if (!token) return identity
  try {
    const { playerToken, fault: playerTokenError } = await token
    const begun = playerToken && begin(identity, playerToken)
    return { ...identity, begun, playerTokenError, player: await player }
  } catch (error) {
    throw await afterPermission(identity.access, error)
  }

  function begin({ productId, acceptedAge = {} }: Caller, playerToken: VerifiedPlayerToken) {
    if (productId === undefined) return undefined
    checkPlayerTokenProduct(playerToken, productId, ports.playerTokenProduct)
    return beforePlayer?.({ productId, userId: playerToken.userId, acceptedAge })
  }
}

/** A directive with or without a number of seconds, which may be quoted. */
const directive = /^[ \t]*([^\s="]+)(?:=("?)(\d+)\2)?[ \t]*$/

/** Larger numbers of seconds mean this one (RFC 9111 section 1.2.2). */
const maxSeconds = 2 ** 31

/**
 * Reads what the header Cache-Control of a request says about the age of the answer: `no-cache`, `max-age` (RFC 9111
 * section 5.2.1) and `stale-if-error` (RFC 5861 section 4). Ignores unknown and malformed directives (D156). Of two
 * directives of one name, the smaller number of seconds counts.
 */
export function acceptedAgeOf(header: string | undefined): AcceptedAge {
  const accepted: AcceptedAge = {}
  // Commas within quotes do not separate directives.
  for (const text of header?.match(/(?:[^,"]|"[^"]*")+/g) ?? []) {
    const [, name, , seconds] = directive.exec(text) ?? []
    const age = seconds === undefined ? undefined : Math.min(Number(seconds), maxSeconds)
    switch (name?.toLowerCase()) {
      case 'no-cache':
        if (age === undefined) accepted.refusesKept = true
        break
      case 'max-age':
        accepted.maxAgeSeconds = smaller(accepted.maxAgeSeconds, age)
        break
      case 'stale-if-error':
        accepted.staleIfErrorSeconds = smaller(accepted.staleIfErrorSeconds, age)
    }
  }
  return accepted
}

const smaller = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || b === undefined ? (a ?? b) : Math.min(a, b)
