import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { samples } from '@player-nfts/local/samples'
import { expect, test } from 'vitest'
import { productWith } from '../../support/requests/reading.ts'
import { sharedService } from '../../support/services/service.ts'
import { compiler, newProject, nodes } from './new-project.ts'

const service = sharedService()
const root = join(import.meta.dirname, '../../..')

/** The code of a page as one program, with the imports at its beginning. */
async function program(page: string): Promise<string> {
  const text = await readFile(join(root, page), 'utf8')
  const blocks = [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code)
  expect(blocks.length).toBeGreaterThan(0)
  const isImport = (line: string) => line.startsWith('import ')
  const lines = blocks.map((block) => block.split('\n'))
  const imports = lines.flat().filter(isImport)
  const bodies = lines.map((block) => block.filter((line) => !isImport(line)).join('\n'))
  return [...imports, ...bodies].join('\n')
}

/** Compiles the code of a page strictly, and returns what it prints. */
async function output(page: string, node: string, variables: Record<string, string>) {
  const project = await newProject({
    packages: { jose: 'jose', '@types/node': '@types/node', 'undici-types': 'undici-types' },
    files: { 'readme.ts': await program(page) },
  })
  const compilerOptions = { strict: true, target: 'es2022', module: 'node16', types: ['node'] }
  await project.write('tsconfig.json', JSON.stringify({ compilerOptions }))
  await project.run(node, [compiler('typescript')])
  return await project.run(node, ['readme.js'], variables)
}

test.each(nodes)('the code of the README compiles and runs on Node %s', async (_, node) => {
  const { playerToken, userId } = await service.newPlayer(samples.players.threeWallets.wallets)
  const printed = await output('clients/typescript/README.md', node, {
    PLAYER_NFTS_URL: service.url,
    PLAYER_NFTS_API_KEY: await service.newProduct(),
    PLAYER_TOKEN: playerToken,
  })
  for (const line of [
    'marrow_finch has 250.850000000000000001 WICK',
    '10000 of 25000',
    '25000 NFTs were unbound',
    'contractAddress must be 0x and 40 hexadecimal digits',
    'getKeySet 1 200',
    `user ${userId}, until `,
  ]) {
    expect(printed).toContain(line)
  }
})

test('the code of the README of the repository reads the NFTs of a player', async () => {
  const apiKey = await productWith(service, { ...samples.collections.gear, tokenIds: ['2', '17'] })
  const { playerToken } = await service.newPlayer(samples.players.threeWallets.wallets)
  const { port: PORT } = new URL(service.url)
  const variables = { API_KEY: apiKey, PLAYER_TOKEN: playerToken, PORT }
  const printed = await output('README.md', process.execPath, variables)
  expect(printed).toContain('17 Eelskin Gloves of Stairfoot\n')
})
