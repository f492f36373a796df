import { samples } from '@player-nfts/local/samples'
import { beforeAll, describe, inject } from 'vitest'
import {
  type Fault,
  type FaultProxy,
  type FaultProxyOptions,
  startFaultProxy,
} from '../support/proxies/fault-proxy.ts'
import { productWith } from '../support/requests/reading.ts'
import { type Player, sharedService } from '../support/services/service.ts'
import { atFileEnd } from '../support/vitest/at-file-end.ts'
import { onWindows } from '../support/vitest/windows.ts'
import { type GameServer, gameServers, missingFor, prepare, start } from './game-servers.ts'
import { newSigner, type Signer } from './spoiled-tokens.ts'

export const nftsPath = 'GET /api/public/v1/player/tokens'
export const keySetPath = 'GET /.well-known/jwks.json'
export const productId = '0f5a3c1e-7b62-4c1d-9d53-2a8f1f0c9b7e'
export const signInAgain = { status: 401, json: { error: 'sign_in_again' } }
export const tryLater = { status: 503, json: { error: 'try_again_later' } }

/** An answer of the service without NFTs. */
export const noNfts: Fault = { status: 200, body: { data: [], success: true } }

/** A failure, as the service answers it. */
export const problem = (status: number, code: string, headers = {}): Fault => ({
  status,
  headers: { 'content-type': 'application/problem+json', ...headers },
  body: { success: false, status, code, detail: 'A detail.', requestId: 'request-1' },
})

/** A game server that runs, before a service that does what a test wants. */
export interface RunningGame {
  proxy: FaultProxy
  onRequest: FaultProxyOptions['onRequest']
  /** Keys that are published beside those of the service. */
  published: Signer[]
  /** Requests the NFTs, as the game does. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into any JSON
  ask(playerToken?: string): Promise<{ status: number; headers: Headers; json: any }>
  /** The number of requests with this action that the server sends during `work`. */
  counted(action: string, work: () => Promise<unknown>): Promise<number>
  url: string
  log(): string
}

/** Starts a game server, until the end of the file. */
export async function startGame(
  server: GameServer,
  variables: Record<string, string>,
): Promise<RunningGame> {
  const faults: Pick<RunningGame, 'onRequest' | 'published'> = {
    onRequest: undefined,
    published: [],
  }
  const proxy = await startFaultProxy(
    {
      target: inject('target').url,
      onRequest: (request) => faults.onRequest?.(request),
      onResponse: ({ action }, { status, body }) => {
        if (action !== keySetPath) return undefined
        // A kind of key that does not exist yet is no reason to refuse the others.
        const later = { kty: 'LATER', kid: 'later', alg: 'LATER', use: 'sig' }
        const added = faults.published.map(({ jwk }) => jwk)
        return { status, body: { keys: [later, ...JSON.parse(String(body)).keys, ...added] } }
      },
    },
    atFileEnd,
  )
  const { url, log } = await start(server, { SERVICE_URL: proxy.url, ...variables })
  const game = {
    ...{ proxy, url, log },
    ask: async (playerToken?: string) => {
      const headers = playerToken === undefined ? {} : { authorization: `Bearer ${playerToken}` }
      const response = await fetch(`${url}/nfts`, { headers })
      return {
        status: response.status,
        headers: response.headers,
        json: await response.json(),
      }
    },
    counted: async (action: string, work: () => Promise<unknown>) => {
      const before = proxy.count(action)
      await work()
      return proxy.count(action) - before
    },
  }
  return Object.assign(faults, game)
}

/** What the tests of all servers share. */
interface Shared {
  apiKey: string
  player: Player
  /** Signs tokens that are like player tokens. */
  signer: Signer
}

/** Without `npm run test:languages`, only the server in TypeScript is tested: what it imports is in the packages of this project. */
const isForAll = process.env['ALL_LANGUAGES'] === 'true'

/** Runs tests for each game server that this machine can build, and says which it cannot. */
export function describeGameServers(
  tests: (server: GameServer, shared: () => Promise<Shared>) => void,
): void {
  const service = sharedService()
  const make = async (): Promise<Shared> => {
    const { keepers, vessels } = samples.collections
    const apiKey = await productWith(service, keepers, vessels)
    const player = await service.newPlayer(samples.players.largeWallet.wallets)
    return { apiKey, player, signer: await newSigner() }
  }
  let made: Promise<Shared> | undefined
  const shared = () => {
    made ??= make()
    return made
  }
  for (const server of isForAll ? gameServers : gameServers.slice(0, 1)) {
    const missing = missingFor(server).join(', ')
    if (missing) console.warn(`The server in ${server.language} is not tested without ${missing}.`)
    describe.skipIf(missing !== '' || onWindows)(`the game server in ${server.language}`, () => {
      if (isForAll) beforeAll(() => prepare(server))
      tests(server, shared)
    })
  }
}
