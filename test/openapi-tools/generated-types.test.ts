import { cp, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { samples } from '../../local/samples/samples.ts'
import { newFolder } from '../support/command-fixture.ts'
import { allowlist } from '../support/requests/allowlists.ts'
import { sharedService } from '../support/services/service.ts'
import { documentFile, packagesFolder, runNode, runTool } from './run-tool.ts'

const service = sharedService()

const program = 'openapi-typescript'

const compilerOptions = {
  strict: true,
  noUncheckedIndexedAccess: true,
  target: 'es2022',
  module: 'preserve',
  lib: ['es2022', 'dom', 'dom.iterable'],
  types: ['node'],
  noEmitOnError: true,
  outDir: 'built',
}

test('a client with the types of openapi-typescript compiles under strict, and reads all pages of NFTs, the player and a problem', async () => {
  const apiKey = await service.newProduct()
  const { keepers, gear, crates } = samples.collections
  for (const { chain, address, tokenIds } of [keepers, gear, crates]) {
    await allowlist(service.call, apiKey, { chain, contractAddress: address, tokens: tokenIds })
  }
  const player = await service.newPlayer(samples.players.threeWallets.wallets)
  const { playerToken } = player

  const folder = newFolder()
  await prepare(folder)
  await succeed(runTool('openapiTypescript', [documentFile, '-o', 'schema.ts'], folder))
  await succeed(runTool('typescript', [], folder))

  const args = [`built/${program}.js`, service.url, apiKey, playerToken]
  const read = JSON.parse((await succeed(runNode(args, folder))).stdout)

  const expected = await service.call('GET /player/tokens/raw', { apiKey, playerToken })
  expect(expected.json.data.length).toBeGreaterThan(3)
  expect(inOrder(read.nfts)).toEqual(inOrder(expected.json.data))
  expect(read.names.filter((name: unknown) => typeof name === 'string')).not.toEqual([])
  expect(read.userId).toBe(player.userId)
  expect(read.code).toBe('invalid_api_key')
})

/** Makes a project of the program, with the packages of the tools. */
async function prepare(folder: string): Promise<void> {
  const source = join(import.meta.dirname, 'clients', `${program}.ts`)
  await cp(source, join(folder, `${program}.ts`))
  await symlink(packagesFolder, join(folder, 'node_modules'), 'junction')
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
}

/** Pages are not in the order of a complete list (4.8). */
const inOrder = (nfts: { address: string; tokenId: string; owner: string }[]) =>
  nfts.toSorted((a, b) => keyOf(a).localeCompare(keyOf(b)))
const keyOf = ({ address, tokenId, owner }: { address: string; tokenId: string; owner: string }) =>
  `${address} ${tokenId} ${owner}`

async function succeed(run: ReturnType<typeof runNode>) {
  const result = await run
  expect(result, result.stdout + result.stderr).toMatchObject({ exitCode: 0 })
  return result
}
