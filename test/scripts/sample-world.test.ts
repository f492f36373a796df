import { startIndexerServer } from '@player-nfts/local/indexer/indexer-server'
import { noteRunning, type RunningStack } from '@player-nfts/local/running-stack'
import { type SampleCollection, samples } from '@player-nfts/local/samples'
import { sampleWorld } from '@player-nfts/local/samples/sample-world'
import { describe, expect, onTestFinished, test } from 'vitest'
import { toAddress } from '../../lib/domain/nft/address.ts'
import { failureOf, newFolder, run } from '../support/command-fixture.ts'
import { newAddress } from '../support/services/service.ts'

const { lanterns, keepers, gear } = samples.collections
const { oneWallet, threeWallets, emptyWallet } = samples.players
const { username, userId, wallets } = threeWallets
const [, receiving] = wallets

/** The note of a stack without the sample world. */
const note: RunningStack = {
  pid: process.pid,
  url: 'http://127.0.0.1:3000',
  userJwtKey: { keyId: 'k', issuer: 'i', audience: 'a', region: 'r' },
}

/** A sample world, and the commands in the data folder of a stack that has it. */
async function startWorld() {
  const world = sampleWorld()
  const { url, close } = await startIndexerServer({ world })
  onTestFinished(close)
  const DATA_DIR = newFolder()
  await noteRunning(DATA_DIR, { ...note, sampleIndexerUrl: url })
  const command =
    (name: string) =>
    async (...args: string[]) =>
      await run(`scripts/${name}.ts`, args, { DATA_DIR }).ended
  const held = (wallet: string, { address }: Pick<SampleCollection, 'address'>) =>
    world['polygon-mainnet'].wallets.get(wallet as typeof address)?.get(address)
  return { world, mint: command('mint'), move: command('move-nft'), held }
}

/** What is said of an NFT that the sample game does not allowlist. */
const hint = 'A game sees it after you have added it to its allowlist: http://127.0.0.1:'

describe('npm run mint', () => {
  test.each([username, `${userId}`])('mints a lantern to %s', async (to) => {
    const { mint, held } = await startWorld()
    const line = `Brindlewake Lanterns 10001 (contract ${lanterns.address} on POLYGON) was minted to ${username} (wallet ${receiving}).\n`
    expect(await mint('--to', to)).toEqual({ code: 0, stdout: line, stderr: '' })
    expect(held(`${receiving}`, lanterns)).toEqual(new Map([['10001', 1n]]))
    expect((await mint('--to', to)).stdout).toContain(' 10002 ')
  })

  test('mints an NFT of choice of another contract to any wallet', async () => {
    const { mint, held } = await startWorld()
    const wallet = newAddress()
    const { stdout } = await mint('--to', wallet, '--contract', 'keepers', '--token-id', '0x1000')
    expect(stdout).toContain(`Keepers 4096 (contract ${keepers.address} on POLYGON)`)
    expect(stdout).toContain(`was minted to the wallet ${wallet}.\n${hint}`)
    expect(held(wallet, keepers)).toEqual(new Map([['4096', 1n]]))
    await mint('--to', wallet, '--contract', gear.address, '--token-id', '7')
    await mint('--to', wallet, '--contract', gear.address, '--token-id', '7')
    expect(held(wallet, gear)).toEqual(new Map([['7', 2n]]))
  })

  test('begins a contract of its own', async () => {
    const { mint, held } = await startWorld()
    const address = newAddress()
    const own = { address: toAddress(address) }
    const first = await mint('--to', username, '--contract', address)
    expect(first.stdout).toContain(
      `Contract ${address.slice(0, 6)}…${address.slice(-4)} 1 (contract ${address} on POLYGON)`,
    )
    expect(first.stdout).toContain(hint)
    await mint('--to', username, '--contract', address)
    expect([...(held(`${receiving}`, own)?.keys() ?? [])]).toEqual(['1', '2'])
  })
})

describe('the commands fail with one line', () => {
  const mistyped = '0xAB5801a7D398351b8bE11C439e05C5B3259aeC9B'
  test.each([
    ['mint', '', /^Usage: npm run --silent mint -- --to PLAYER /],
    [
      'mint',
      '--to nobody',
      /^--to must be the address of a wallet, or one of 1001 \(marrow_finch\), /,
    ],
    ['mint', `--to ${mistyped}`, /wrong checksum: correct it, or /],
    [
      'mint',
      '--to 1002 --contract Swords',
      /^--contract must be the address of a contract, or one of Keepers, /,
    ],
    [
      'mint',
      `--to 1002 --contract ${mistyped}`,
      /^--contract 0xAB58\w+ has a wrong checksum: correct it, or /,
    ],
    ['mint', '--to 1002 --tokn 1', /--tokn/],
    [
      'move-nft',
      '',
      /^Usage: npm run --silent move-nft -- --from PLAYER --to PLAYER --token-id N /,
    ],
    ['move-nft', '--from nobody --to 1002 --token-id 1', /^--from must be the address of /],
    ['move-nft', '--from 1001 --to 0x12 --token-id 1', /^--to must be the address of /],
  ])('%s with the arguments %s', async (name, args, message) => {
    const command = run(`scripts/${name}.ts`, args.split(' ').filter(Boolean), {
      DATA_DIR: newFolder(),
    })
    expect(await failureOf(command)).toMatch(message)
  })

  test('if the NFT cannot be minted', async () => {
    const { mint } = await startWorld()
    const { stderr } = await mint('--to', '1002', '--token-id', '7')
    expect(stderr).toBe('The NFT was not minted: Token 7 exists already.\n')
    const curios = await mint('--to', '1002', '--contract', 'Curios')
    expect(curios.stderr).toBe(
      'The NFT was not minted: Brindlewake Curios has no further NFTs to mint.\n',
    )
  })

  test('without a stack on the folder, with another indexer, and without an answer of the indexer', async () => {
    const DATA_DIR = newFolder()
    const failure = async () =>
      await failureOf(run('scripts/mint.ts', ['--to', '1002'], { DATA_DIR }))
    expect(await failure()).toBe(
      `No local stack runs on ${DATA_DIR}: start one with npm start or set DATA_DIR to the folder of one.`,
    )
    await noteRunning(DATA_DIR, note)
    expect(await failure()).toBe(
      'http://127.0.0.1:3000 does not have the sample world: start it without INDEXER_URL and ALCHEMY_API_KEY.',
    )
    await noteRunning(DATA_DIR, { ...note, sampleIndexerUrl: 'http://127.0.0.1:1' })
    expect(await failure()).toBe(
      'The sample indexer at http://127.0.0.1:1 cannot be reached: restart npm start.',
    )
  })
})

describe('npm run move-nft', () => {
  test('moves an NFT from the wallet of a player that has it to another player', async () => {
    const { move, held, world } = await startWorld()
    const [, cold] = threeWallets.wallets
    const line = `Brindlewake Keepers 61 (contract ${keepers.address} on POLYGON) moved from tessaly_vane (wallet ${cold}) to pip_ashore (wallet ${emptyWallet.wallets[0]}).\n`
    const args = ['--from', threeWallets.username, '--to', `${emptyWallet.userId}`]
    expect(await move(...args, '--token-id', '0x3d')).toEqual({
      code: 0,
      stdout: line,
      stderr: '',
    })
    expect(held(`${emptyWallet.wallets[0]}`, keepers)).toEqual(new Map([['61', 1n]]))
    expect(held(`${cold}`, keepers)?.has('61' as never)).toBe(false)
    expect(world['polygon-mainnet'].chain.events).toHaveLength(1)
  })

  test('moves an amount of an NFT of another contract between any wallets', async () => {
    const { move, held } = await startWorld()
    const wallet = newAddress()
    const [from] = oneWallet.wallets
    const sale = ['--contract', 'gear', '--token-id', '3', '--amount', '2']
    const { stdout } = await move('--from', `${from}`, '--to', wallet, ...sale)
    expect(stdout).toBe(
      `2 of Brindlewake Gear 3 (contract ${gear.address} on POLYGON) moved from the wallet ${from} to the wallet ${wallet}.\n`,
    )
    expect(held(wallet, gear)).toEqual(new Map([['3', 2n]]))
    expect(held(`${from}`, gear)?.get('3' as never)).toBe(2n)
  })

  test('says why an NFT was not moved', async () => {
    const { move } = await startWorld()
    const refusal = async (...args: string[]) =>
      (await move('--from', '1001', '--to', '1002', ...args)).stderr
    const [wallet] = oneWallet.wallets
    expect(await refusal('--token-id', '8')).toBe(
      `The NFT was not moved: ${wallet} does not hold 1 of token 8.\n`,
    )
    expect(await refusal('--token-id', '7', '--amount', '2')).toContain('amount must be 1')
  })
})
