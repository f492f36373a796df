import { describe, expect, test } from 'vitest'
import { toAddress } from '../../lib/domain/nft/address.ts'
import { noteRunning } from '../../local/running-stack.ts'
import { samples } from '../../local/samples/samples.ts'
import { newFolder } from '../support/command-fixture.ts'
import { newAddress } from '../support/services/service.ts'
import { failureOf as failureOfCommand, note, startWorld } from './sample-world-fixture.ts'

const { lanterns, keepers, gear } = samples.collections
const { username, userId, wallets } = samples.players.threeWallets
const [, receiving] = wallets

const startMint = async () => {
  const { command, held } = await startWorld('scripts/mint.ts')
  return { mint: command, held }
}

describe('npm run mint', () => {
  test.each([username, `${userId}`])('mints a lantern to %s', async (to) => {
    const { mint, held } = await startMint()
    const line = `Brindlewake Lanterns 10001 (contract ${lanterns.address} on POLYGON) was minted to ${username} (wallet ${receiving}).\n`
    expect(await mint('--to', to)).toEqual({ code: 0, stdout: line, stderr: '' })
    expect(held(`${receiving}`, lanterns)).toEqual(new Map([['10001', 1n]]))
    expect((await mint('--to', to)).stdout).toContain(' 10002 ')
  })

  test('mints an NFT of choice of another contract to any wallet', async () => {
    const { mint, held } = await startMint()
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

describe('npm run mint of what the sample game does not allowlist', () => {
  const hint = 'A game sees it after you have added it to its allowlist: http://127.0.0.1:'

  test('says where to add it', async () => {
    const { mint } = await startMint()
    expect((await mint('--to', '1002', '--contract', 'keepers')).stdout).toContain(hint)
    expect((await mint('--to', '1002')).stdout).not.toContain(hint)
  })

  test('begins a contract of its own', async () => {
    const { mint, held } = await startMint()
    const address = newAddress()
    const own = { address: toAddress(address) }
    const first = await mint('--to', username, '--contract', address)
    expect(first.stdout).toContain(
      `Contract ${address.slice(0, 6)}…${address.slice(-4)} 1 (contract ${address} on POLYGON)`,
    )
    expect(first.stdout).toContain(hint)
    await mint('--to', username, '--contract', address)
    expect(held(`${receiving}`, own)).toEqual(
      new Map([
        ['1', 1n],
        ['2', 1n],
      ]),
    )
  })
})

describe('npm run mint fails with one line', () => {
  const failureOf = (DATA_DIR: string, ...args: string[]) =>
    failureOfCommand('scripts/mint.ts', DATA_DIR, ...args)

  test.each([
    [[], /^Usage: npm run --silent mint -- --to PLAYER /],
    [
      ['--to', 'nobody'],
      /^--to must be the address of a wallet, or one of 1001 \(marrow_finch\), /,
    ],
    [['--to', '0xAB5801a7D398351b8bE11C439e05C5B3259aeC9B'], /wrong checksum: correct it, or /],
    [
      ['--to', '1002', '--contract', 'Swords'],
      /^--contract must be the address of a contract, or one of Keepers, /,
    ],
    [
      ['--to', '1002', '--contract', '0xAB5801a7D398351b8bE11C439e05C5B3259aeC9B'],
      /^--contract 0xAB58\w+ has a wrong checksum: correct it, or /,
    ],
    [['--to', '1002', '--tokn', '1'], /--tokn/],
  ])('for the arguments %j', async (args, message) => {
    expect(await failureOf(newFolder(), ...args)).toMatch(message)
  })

  test('if the NFT cannot be minted', async () => {
    const { mint } = await startMint()
    const { stderr } = await mint('--to', '1002', '--token-id', '7')
    expect(stderr).toBe('The NFT was not minted: Token 7 exists already.\n')
    const curios = await mint('--to', '1002', '--contract', 'Curios')
    expect(curios.stderr).toBe(
      'The NFT was not minted: Brindlewake Curios has no further NFTs to mint.\n',
    )
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
