import { randomUUID } from 'node:crypto'
import { base } from '../../lib/contract/route.ts'
import { type ProblemCode, problems } from '../../lib/domain/problems.ts'
import {
  contractRead,
  detailsRead,
  type Evidence,
  login,
  nftsRead,
  productRead,
  whyNotAsked,
} from './credential-calls.ts'
import { type Credentials, whyExpired } from './credentials.ts'
import { type Checked, check, type Expected } from './expected.ts'

/** What some requests of a smoke test have found. */
interface Findings {
  readonly checked: readonly Checked[]
  /** Why what they are about was not tested, or undefined if it was. */
  readonly whyUntested: string | undefined
}

/** What a smoke test has found. */
export interface Report {
  readonly checked: readonly Checked[]
  /** Why the indexer, and the login, was not tested, or undefined if it was. */
  readonly whyUntested: { readonly [part in 'indexer' | 'login']: string | undefined }
}

/**
 * Sends the requests of a smoke test to a deployment, one after the other. They change nothing, but that a user JWT gets a
 * player token, which takes the place of a missing one. With an API key and a player token, it is also a fault if the
 * indexer was not tested. Never rejects.
 */
export async function smokeTest(url: string, credentials: Credentials): Promise<Report> {
  const open: Checked[] = []
  for (const call of openCalls()) open.push(await check(url, call))
  const { userJwt, productId } = credentials
  const logins = userJwt ? [await check(url, login(userJwt, productId))] : []
  const ofLogin = userJwt
    ? logins.find(({ fault }) => fault) && 'the request has failed'
    : 'USER_JWT is not set'
  const { playerToken = logins[0]?.body?.data.token } = credentials
  const reads = await readsWith(url, { ...credentials, playerToken })
  return {
    checked: [...open, ...logins, ...reads.checked],
    whyUntested: { indexer: reads.whyUntested, login: ofLogin },
  }
}

async function readsWith(url: string, { apiKey, playerToken }: Credentials): Promise<Findings> {
  if (!apiKey) return { checked: [], whyUntested: 'API_KEY and PLAYER_TOKEN are not set' }
  const product = await check(url, productRead(apiKey))
  if (!playerToken) return { checked: [product], whyUntested: 'PLAYER_TOKEN is not set' }
  const { checked, whyUntested } = await readPlayer(url, { apiKey, playerToken })
  const isTested = { title: 'The indexer was tested', fault: whyUntested }
  return { checked: [product, ...checked, isTested], whyUntested }
}

async function readPlayer(
  url: string,
  { apiKey, playerToken }: Required<Pick<Credentials, 'apiKey' | 'playerToken'>>,
): Promise<Findings> {
  const expired = whyExpired(playerToken)
  if (expired) return { checked: [], whyUntested: expired }
  const nfts = await check(url, nftsRead(apiKey, playerToken))
  const details = await check(url, detailsRead(playerToken))
  const contracts = await check(url, contractRead(apiKey))
  const checked = [nfts, details, contracts]
  if (checked.some(({ fault }) => fault)) {
    return { checked, whyUntested: 'a request that shows it has failed' }
  }
  const evidence: Evidence = { nfts: nfts.body, details: details.body, contracts: contracts.body }
  return { checked, whyUntested: whyNotAsked(evidence) }
}

/** The requests of a smoke test that need no credential, each to another function. They change nothing. */
const openCalls = (): Expected[] => [
  {
    title: 'The OpenAPI document is served',
    path: `${base}/openapi.json`,
    status: 200,
    fault: ({ openapi }) =>
      `${openapi}`.startsWith('3.') ? undefined : 'this is no OpenAPI document',
  },
  {
    title: 'KMS returns the public keys of player tokens',
    path: '/.well-known/jwks.json',
    status: 200,
    fault: ({ keys }) => (keys?.length > 0 ? undefined : 'the key set has no keys'),
  },
  refused('The table is read: an unknown API key is refused', 'product', 'invalid_api_key', {
    'x-api-key': randomUUID(),
  }),
  refused('A missing API key is refused', 'product/contracts', 'missing_api_key'),
  refused('A forged user JWT is refused', 'player/token', 'invalid_user_token', {
    authorization: 'Bearer smoke.test.token',
  }),
  refused('A forged player token is refused', 'player/details', 'invalid_player_token', {
    'x-player-token': 'smoke.test.token',
  }),
  { title: 'A path that does not exist is 404', path: `${base}/smoke-test`, status: 404 },
]

const refused = (
  title: string,
  path: string,
  code: ProblemCode,
  headers: Readonly<Record<string, string>> = {},
): Expected => ({
  title,
  path: `${base}/${path}`,
  headers,
  status: problems[code].status,
  fault: (body) => (body.code === code ? undefined : `expected ${code}`),
})
