import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { samples } from '../../../local/samples/samples.ts'
import { sharedService } from '../../support/services/service.ts'
import { compiler, newProject, nodes } from './new-project.ts'

const service = sharedService()
const page = join(import.meta.dirname, '../../../clients/typescript/README.md')

/** The code of the page as one program, with the imports at its beginning. */
async function program(): Promise<string> {
  const text = await readFile(page, 'utf8')
  const blocks = [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code)
  expect(blocks.length).toBeGreaterThan(10)
  const isImport = (line: string) => line.startsWith('import ')
  const lines = blocks.map((block) => block.split('\n'))
  const imports = lines.flat().filter(isImport)
  const bodies = lines.map((block) => block.filter((line) => !isImport(line)).join('\n'))
  return [...imports, ...bodies].join('\n')
}

test.each(nodes)('the code of the README compiles and runs on Node %s', async (_, node) => {
  const project = await newProject({
    packages: { jose: 'jose', '@types/node': '@types/node', 'undici-types': 'undici-types' },
    files: { 'readme.ts': await program() },
  })
  const compilerOptions = { strict: true, target: 'es2022', module: 'node16', types: ['node'] }
  await project.write('tsconfig.json', JSON.stringify({ compilerOptions }))
  await project.run(node, [compiler('typescript')])
  const { playerToken, userId } = await service.newPlayer(samples.players.threeWallets.wallets)
  const output = await project.run(node, ['readme.js'], {
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
    expect(output).toContain(line)
  }
})
