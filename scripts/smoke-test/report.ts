import {
  contractRead,
  detailsRead,
  type Evidence,
  nftsRead,
  productRead,
  whyNotAsked,
} from './credential-calls.ts'
import { type Credentials, whyExpired } from './credentials.ts'
import { type Checked, check } from './expected.ts'
import { openCalls } from './open-calls.ts'

/** What a smoke test has found. */
export interface Report {
  readonly checked: readonly Checked[]
  /** Why the indexer was not tested, or undefined if it was. */
  readonly whyUntested: string | undefined
}

/**
 * Sends the requests of a smoke test to a deployment, one after the other. They change nothing. With an API key and a
 * player token, it is also a fault if the indexer was not tested. Never rejects.
 */
export async function smokeTest(
  url: string,
  { apiKey, playerToken }: Credentials,
): Promise<Report> {
  const checked: Checked[] = []
  for (const call of openCalls()) checked.push(await check(url, call))
  if (!apiKey) return { checked, whyUntested: 'API_KEY and PLAYER_TOKEN are not set' }
  checked.push(await check(url, productRead(apiKey)))
  if (!playerToken) return { checked, whyUntested: 'PLAYER_TOKEN is not set' }
  const reads = await readPlayer(url, { apiKey, playerToken })
  const whyUntested = reads.whyUntested
  const isTested = { title: 'The indexer was tested', fault: whyUntested }
  return { checked: [...checked, ...reads.checked, isTested], whyUntested }
}

async function readPlayer(
  url: string,
  { apiKey, playerToken }: Required<Credentials>,
): Promise<Report> {
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
