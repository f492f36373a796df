import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { samples } from '@player-nfts/local/samples'
import { beforeAll, describe, expect, test } from 'vitest'
import { newFolder } from '../support/command-fixture.ts'
import { startFaultProxy } from '../support/proxies/fault-proxy.ts'
import { productWith } from '../support/requests/reading.ts'
import { sharedService } from '../support/services/service.ts'
import {
  type ClientLanguage,
  clientLanguages,
  copyProgram,
  fetchGenerator,
  generateClient,
  goGenerators,
} from './client-generator.ts'
import { hasCommand, succeed } from './command.ts'

const service = sharedService()
const { vessels } = samples.collections
const { threeWallets, largeWallet } = samples.players
const wallets = [...threeWallets.wallets, ...largeWallet.wallets]

/** More digits than a double has. */
const amountText = '123456789012345678.901234567890'

/** Every answer with a field more in each object, except the metadata of strangers, and with a balance of 30 digits. */
function answerOfTheFuture(body: string): string {
  const answer = JSON.parse(body, (name, value) => {
    const isClosed = name === 'rawMetadata' || typeof value !== 'object' || value === null
    return isClosed || Array.isArray(value) ? value : { ...value, addedLater: { value: [1] } }
  })
  if (answer.data?.amountText === undefined) return JSON.stringify(answer)
  const text = JSON.stringify({ ...answer, data: { ...answer.data, amountText } })
  return text.replace(/"amount":[\d.]+/, `"amount":${amountText}`)
}

const missing = ['java', 'mvn'].filter((command) => !hasCommand(command)).join(', ')
if (missing) console.warn(`No client is generated without ${missing}.`)

describe.skipIf(missing)('clients that openapi-generator makes', () => {
  let generator: string
  beforeAll(async () => {
    generator = await fetchGenerator()
  })

  const buildable = ({ language, needs }: ClientLanguage): boolean => {
    const lacks = needs.filter((command) => !hasCommand(command)).join(', ')
    if (lacks) console.warn(`The client in ${language} is not built without ${lacks}.`)
    return lacks === ''
  }

  test.for(clientLanguages.filter(buildable))(
    'in $language: builds, and makes twenty calls, with fields that it does not know in every answer',
    { timeout: 1_200_000 },
    async (client) => {
      const folder = await copyProgram(client.folder)
      const output = join(folder, client.output)
      await mkdir(output, { recursive: true })
      await generateClient(generator, client.options, output)
      for (const command of client.build) await succeed(command, folder)

      const proxy = await startFaultProxy({
        target: service.url,
        onResponse: (_, { status, headers, body }) => ({
          status,
          headers: { 'content-type': headers['content-type'] ?? '' },
          body: answerOfTheFuture(String(body)),
        }),
      })
      const player = { userId: Number.MAX_SAFE_INTEGER, username: 'marrow_finch', wallets }
      const other = { userId: 2 ** 31 }
      const userJwt = await service.userJwt(other)
      const token = (await service.call('GET /player/token', { userJwt })).json.data.token
      const printed = await succeed(client.run, folder, {
        BASE_URL: proxy.url,
        CONTRACT: vessels.address,
        USER_JWT: await service.userJwt(player),
        PLAYER_TOKEN: token,
        WRONG_KEY: crypto.randomUUID(),
      })
      // Maven also prints escape sequences of the terminal.
      const read = JSON.parse(printed.match(/\{.*\}/)?.[0] ?? '')

      const { names, rawNames } = await expectedNames()
      expect(names.length).toBeGreaterThan(1)
      expect(read).toEqual({
        name: 'Lee and Mercy',
        newName: 'Lee and Mercy II',
        scope: 'READ',
        keys: 2,
        endReason: 'deleted',
        allowlisted: 3,
        first: ['1', '2'],
        second: ['3..150'],
        actions: ['allowlistNfts', 'endKey', 'createKey', 'updateProduct', 'registerProduct'],
        userId: 9_007_199_254_740_991,
        amountText,
        otherUserId: 2_147_483_648,
        names,
        rawNames,
        removed: 2,
        days: 1,
        algorithm: 'ES256',
        problem: 'invalid_api_key',
        deleted: true,
      })
      expect(proxy.requests).toHaveLength(20)
    },
  )

  // It needs the .NET SDK and packages that only NuGet has: JsonSubTypes, Polly, Microsoft.Extensions.
  test('in C#: is made; nothing builds it here', async () => {
    const folder = newFolder()
    await generateClient(generator, ['-g', 'csharp'], folder)
    expect(existsSync(join(folder, 'src/Org.OpenAPITools/Api/PlayerApi.cs'))).toBe(true)
  })
})

const lacksGo = !hasCommand('go')
if (lacksGo) console.warn('oapi-codegen and ogen are not tried without go.')

test.skipIf(lacksGo).for(goGenerators)(
  'D132: $generator makes a client of the whole document, which builds and makes seven calls',
  { timeout: 1_200_000 },
  async ({ generator, options }) => {
    const folder = await copyProgram(generator)
    await mkdir(join(folder, 'nfts'))
    await succeed(['go', 'tool', generator, ...options], folder)
    await succeed(['go', 'build', '-o', 'calls.bin', './calls'], folder)
    const player = { userId: Number.MAX_SAFE_INTEGER, username: 'marrow_finch', wallets }
    const printed = await succeed(['./calls.bin'], folder, {
      BASE_URL: service.url,
      CONTRACT: vessels.address,
      USER_JWT: await service.userJwt(player),
      WALLET: wallets[0] ?? '',
      WRONG_KEY: crypto.randomUUID(),
    })
    expect(JSON.parse(printed)).toEqual({
      allowlisted: 3,
      userId: 9_007_199_254_740_991,
      names: (await expectedNames()).names,
      hasMessage: true,
      problem: 'invalid_api_key',
    })
  },
)

/** The names of the player's vessels, in both forms of metadata, in the order of the answers. */
async function expectedNames() {
  const apiKey = await productWith(service, { ...vessels, tokenIds: ['1', '2', '3..150'] })
  const { playerToken } = await service.newPlayer(wallets)
  const { data } = (await service.call('GET /player/tokens', { apiKey, playerToken })).json
  const raw = (await service.call('GET /player/tokens/raw', { apiKey, playerToken })).json
  return {
    names: data.map((nft: { formattedMetadata: { name: string } }) => nft.formattedMetadata.name),
    rawNames: raw.data.map((nft: { rawMetadata: { name: string } }) => nft.rawMetadata.name),
  }
}
