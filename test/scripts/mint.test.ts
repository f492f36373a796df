import { describe, expect, onTestFinished, test } from 'vitest'
import { startIndexerServer } from '../../local/indexer/indexer-server.ts'
import { noteRunning, type RunningStack } from '../../local/running-stack.ts'
import { sampleWorld } from '../../local/samples/sample-world.ts'
import { samples } from '../../local/samples/samples.ts'
import { newFolder, run } from '../support/command-fixture.ts'
import { newAddress } from '../support/services/service.ts'

const note: RunningStack = {
  pid: process.pid,
  url: 'http://127.0.0.1:3000',
  userJwtKey: { keyId: 'k', issuer: 'i', audience: 'a', region: 'r' },
}
const { lanterns, keepers, gear } = samples.collections
const { username, userId, wallets } = samples.players.threeWallets

/** A sample world, and the command in the data folder of a stack that has it. */
async function startWorld() {
  const world = sampleWorld()
  const { url, close } = await startIndexerServer({ world })
  onTestFinished(close)
  const DATA_DIR = newFolder()
  await noteRunning(DATA_DIR, { ...note, sampleIndexerUrl: url })
  const mint = async (...args: string[]) => await run('scripts/mint.ts', args, { DATA_DIR }).ended
  const held = (wallet: string, { address }: { address: typeof gear.address }) =>
    world['polygon-mainnet'].wallets.get(wallet as typeof address)?.get(address)?.amounts
  return { mint, held }
}

describe('npm run mint', () => {
  test.each([username, `${userId}`])('mints a lantern to %s', async (to) => {
    const { mint, held } = await startWorld()
    const line = `Brindlewake Lanterns 10001 (contract ${lanterns.address} on POLYGON) was minted to ${username} (wallet ${wallets[0]}).\n`
    expect(await mint('--to', to)).toEqual({ code: 0, stdout: line, stderr: '' })
    expect(held(`${wallets[0]}`, lanterns)).toEqual(new Map([['10001', 1n]]))
    expect((await mint('--to', to)).stdout).toContain(' 10002 ')
  })

  test('mints an NFT of choice of another contract to any wallet', async () => {
    const { mint, held } = await startWorld()
    const wallet = newAddress()
    const { stdout } = await mint('--to', wallet, '--contract', 'keepers', '--token-id', '0x1000')
    expect(stdout).toContain(`Keepers 4096 (contract ${keepers.address} on POLYGON)`)
    expect(stdout).toContain(`was minted to the wallet ${wallet}.`)
    expect(held(wallet, keepers)).toEqual(new Map([['4096', 1n]]))
    await mint('--to', wallet, '--contract', gear.address, '--token-id', '7')
    await mint('--to', wallet, '--contract', gear.address, '--token-id', '7')
    expect(held(wallet, gear)).toEqual(new Map([['7', 2n]]))
  })
})

describe('npm run mint fails with one line', () => {
  const failureOf = async (DATA_DIR: string, ...args: string[]) => {
    const { code, stdout, stderr } = await run('scripts/mint.ts', args, { DATA_DIR }).ended
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^[^\n]+\n$/)
    return stderr.trim()
  }

  test.each([
    [[], /^Usage: npm run --silent mint -- --to PLAYER /],
    [
      ['--to', 'nobody'],
      /^--to must be the address of a wallet, or one of 1001 \(marrow_finch\), /,
    ],
    [['--to', '0xAB5801a7D398351b8bE11C439e05C5B3259aeC9B'], /wrong checksum: correct it, or /],
    [['--to', '1002', '--contract', 'Swords'], /^--contract must be one of Keepers, Gear, /],
    [['--to', '1002', '--tokn', '1'], /--tokn/],
  ])('for the arguments %j', async (args, message) => {
    expect(await failureOf(newFolder(), ...args)).toMatch(message)
  })

  test('if the NFT cannot be minted', async () => {
    const { mint } = await startWorld()
    const { stderr } = await mint('--to', '1002', '--token-id', '7')
    expect(stderr).toBe('The NFT was not minted: Token 7 exists already.\n')
    const curios = await mint('--to', '1002', '--contract', 'Curios')
    expect(curios.stderr).toContain('can be minted.')
  })

  test('if no stack runs on the folder', async () => {
    const folder = newFolder()
    expect(await failureOf(folder, '--to', '1002')).toBe(
      `No local stack runs on ${folder}: start one with npm start, or set DATA_DIR to its folder.`,
    )
  })

  test('if the stack has another indexer', async () => {
    const folder = newFolder()
    await noteRunning(folder, note)
    expect(await failureOf(folder, '--to', '1002')).toBe(
      'http://127.0.0.1:3000 does not have the sample world: start it without INDEXER_URL and ALCHEMY_API_KEY.',
    )
  })

  test('if the indexer is not reachable', async () => {
    const folder = newFolder()
    await noteRunning(folder, { ...note, sampleIndexerUrl: 'http://127.0.0.1:1' })
    expect(await failureOf(folder, '--to', '1002')).toBe(
      'The sample indexer at http://127.0.0.1:1 cannot be reached: restart npm start.',
    )
  })
})
