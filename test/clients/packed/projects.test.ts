import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { samples } from '@player-nfts/local/samples'
import { transform } from 'esbuild'
import { beforeAll, describe, expect, test } from 'vitest'
import { sharedService } from '../../support/services/service.ts'
import { compiler, newProject, nodes, type ProjectOptions } from './new-project.ts'

const service = sharedService()
const read = (name: string) => readFile(join(import.meta.dirname, 'programs', name), 'utf8')
const strict = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  skipLibCheck: false,
  target: 'es2022',
}

let world: Record<string, string>
let userId: number
beforeAll(async () => {
  const player = await service.newPlayer(samples.players.threeWallets.wallets)
  userId = player.userId
  const contractAddress = samples.collections.gear.address
  const { playerToken } = player
  world = { baseUrl: service.url, playerToken, userJwt: await service.userJwt(), contractAddress }
})

/** Runs the program of a project, and checks what it has seen. */
async function expectStory(
  project: Awaited<ReturnType<typeof newProject>>,
  node: string,
  main: string,
) {
  const output = await project.run(node, [main], { WORLD: JSON.stringify(world) })
  const { contractAddress: _, ...seen } = JSON.parse(output)
  expect(seen).toEqual({ ...expected, userId, code: 'invalid_player_token' })
}

const expected = {
  product: true,
  requestId: 'string',
  website: 'https://a.example',
  done: 3,
  entries: ['2', '5..9', '17'],
  names: expect.arrayContaining([expect.stringContaining('Bellfounder')]),
  raw: true,
  amount: '250.850000000000000001',
  tokenOfGame: 3,
  failures: [
    'UnauthorizedError invalid_api_key',
    'PlayerNftsError aborted',
    'PlayerNftsError connection_failed',
    'BadRequestError invalid_request name',
    'TypeError ',
    'UnauthorizedError invalid_api_key',
  ],
}

/** A project whose programs are JavaScript. */
async function javaScript(type: 'module' | 'commonjs', jose: string): Promise<ProjectOptions> {
  const format = type === 'module' ? 'esm' : 'cjs'
  const files: Record<string, string> = {}
  for (const name of ['story', 'main']) {
    files[`${name}.js`] = (await transform(await read(`${name}.ts`), { loader: 'ts', format })).code
  }
  return { type, packages: { jose }, files }
}

describe.each(nodes)('in a new project on Node %s, the packed client', (_, node) => {
  test.each([
    ['module', 'jose'],
    ['module', 'jose-5'],
    ['commonjs', 'jose'],
    ['commonjs', 'jose-5'],
  ] as const)('works in a %s with %s', async (type, jose) => {
    await expectStory(await newProject(await javaScript(type, jose)), node, 'main.js')
  })

  test.each(['module', 'commonjs'] as const)(
    'compiles and works in TypeScript as %s',
    async (type) => {
      const project = await newProject({
        type,
        packages: {
          jose: type === 'module' ? 'jose' : 'jose-5',
          '@types/node': '@types/node',
          'undici-types': 'undici-types',
        },
        files: { 'story.ts': await read('story.ts'), 'main.ts': await read('main.ts') },
      })
      const compilerOptions = {
        ...strict,
        module: 'node16',
        lib: ['es2022'],
        types: ['node'],
        outDir: 'built',
      }
      await project.write('tsconfig.json', JSON.stringify({ compilerOptions }))
      await project.run(node, [compiler('typescript')])
      await expectStory(project, node, 'built/main.js')
    },
  )
})

describe('the types of the packed client', () => {
  test.each(['typescript', 'typescript-5-0'] as const)(
    'are those of a bundled page: %s',
    async (version) => {
      const project = await newProject({ files: { 'story.ts': await read('story.ts') } })
      const page = {
        module: 'esnext',
        moduleResolution: 'bundler',
        lib: ['es2022', 'dom', 'dom.iterable'],
      }
      const compilerOptions = { ...strict, ...page, types: [], noEmit: true }
      await project.write('tsconfig.json', JSON.stringify({ compilerOptions }))
      await project.run(process.execPath, [compiler(version)])
    },
  )
})

test('the package contains what its description names, and no sources', async () => {
  const { folder } = await newProject({})
  const root = join(folder, 'node_modules/player-nfts-client')
  const description = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const files = JSON.stringify([description.exports, description.main, description.types]).match(
    /\.\/[^"]+\.(json|js|ts)/g,
  )
  expect(files?.length).toBeGreaterThan(8)
  for (const file of [...(files ?? []), 'README.md', 'LICENSE', 'NOTICE']) {
    expect((await readFile(join(root, file), 'utf8')).length).toBeGreaterThan(0)
  }
  expect(description).not.toHaveProperty('dependencies')
  await expect(readFile(join(root, 'src/index.ts'))).rejects.toThrow('ENOENT')
})
