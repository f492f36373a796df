import assert from 'node:assert/strict'
import { type SampleCollection, samples } from '@player-nfts/local/samples'
import { type Received, type Sent, withoutTime } from '../support/requests/client.ts'
import { registration, type Service } from '../support/services/service.ts'
import { decodeJwt } from '../support/tokens/jwts.ts'

/** Data that must survive updates: a product, its allowlist, a player, and tokens of every age. */
export interface Belongings {
  apiKey: string
  /** The oldest first. */
  tokens: Tokens[]
  /** The first responses of the read operations. */
  answers: Map<string, string>
}

/** The user JWT of a player, and the player token that was created with it. */
export interface Tokens {
  userJwt: string
  playerToken: string
}

/** Longer than a rotation of the keys and a restore of the table in an account. */
const secondsToSurvive = 4 * 3_600

const player = { ...samples.players.threeWallets, userId: 77_001 }

const productReads = ['GET /product', 'GET /product/tokens']
const playerReads = ['GET /player/tokens', 'GET /player/tokens/raw', 'GET /player/details']

/** Creates a product with the sample collections on its allowlist, and a player with tokens. */
export async function newBelongings(service: Service): Promise<Belongings> {
  const { json } = await succeed(service, 'POST /product', { body: registration() })
  const { apiKey } = json.data
  for (const collection of Object.values<SampleCollection>(samples.collections)) {
    await allowlist(service, apiKey, collection)
  }
  const tokens = await newTokens(service)
  return { apiKey, tokens: [tokens], answers: await readAll(service, apiKey, tokens) }
}

/** Creates tokens of the player with the current keys. */
export async function newTokens(service: Service): Promise<Tokens> {
  const userJwt = await service.userJwt(player, secondsToSurvive)
  const { json } = await succeed(service, 'GET /player/token', { userJwt })
  return { userJwt, playerToken: json.data.token }
}

/** Every token is valid, and the read operations return their first responses. */
export async function expectKept(service: Service, belongings: Belongings): Promise<void> {
  const { apiKey, tokens, answers } = belongings
  for (const each of tokens) {
    for (const [operation, answer] of await readAll(service, apiKey, each)) {
      // assert.equal would print both responses.
      assert.ok(answer === answers.get(operation), `the response of ${operation} has changed`)
    }
    await succeed(service, 'GET /player/token', { userJwt: each.userJwt })
  }
}

/** Tokens of removed keys are rejected. */
export async function expectRejected(
  { call }: Service,
  { apiKey }: Belongings,
  { userJwt, playerToken }: Tokens,
): Promise<void> {
  const read = await call('GET /player/tokens', { apiKey, playerToken })
  const signIn = await call('GET /player/token', { userJwt })
  assert.deepEqual(
    [read.json.code, signIn.json.code],
    ['invalid_player_token', 'invalid_user_token'],
  )
}

/** The `kid` of each published key, and of the keys that sign new tokens. */
export async function keysInUse(service: Service) {
  const { userJwt, playerToken } = await newTokens(service)
  const { json } = await succeed(service, 'GET /.well-known/jwks.json')
  const published: string[] = json.keys.map(({ kid }: { kid: string }) => kid)
  return { published, signing: [userJwt, playerToken].map((jwt) => decodeJwt(jwt).header.kid) }
}

async function readAll(service: Service, apiKey: string, { playerToken }: Tokens) {
  const answers = new Map<string, string>()
  for (const operation of productReads) {
    answers.set(operation, (await succeed(service, operation, { apiKey })).text)
  }
  for (const operation of playerReads) {
    const { text } = await succeed(service, operation, { apiKey, playerToken })
    answers.set(operation, withoutTime(text))
  }
  return answers
}

/** Puts the NFTs of a sample collection on the allowlist of a product. */
export async function allowlist(service: Service, apiKey: string, collection: SampleCollection) {
  const { chain, address, name, tokenIds } = collection
  const body = {
    chain,
    contractAddress: address,
    contractDescription: `The sample collection ${name}.`,
    tokens: tokenIds,
  }
  await succeed(service, 'POST /product/tokens', { apiKey, body })
}

/** Calls an operation, which has to succeed. */
export async function succeed(
  { call }: Pick<Service, 'call'>,
  operation: string,
  sent: Sent = {},
): Promise<Received> {
  const answer = await call(operation, sent)
  assert.equal(answer.status, 200, `${operation}: ${answer.text}`)
  return answer
}
