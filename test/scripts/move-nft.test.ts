import { describe, expect, test } from 'vitest'
import { samples } from '../../local/samples/samples.ts'
import { newFolder } from '../support/command-fixture.ts'
import { newAddress } from '../support/services/service.ts'
import { failureOf, startWorld } from './sample-world-fixture.ts'

const script = 'scripts/move-nft.ts'
const { keepers, gear } = samples.collections
const { oneWallet, threeWallets, emptyWallet } = samples.players

describe('npm run move-nft', () => {
  test('moves an NFT from the wallet of a player that has it to another player', async () => {
    const { command, held, world } = await startWorld(script)
    const [, cold] = threeWallets.wallets
    const line = `Brindlewake Keepers 61 (contract ${keepers.address} on POLYGON) moved from tessaly_vane (wallet ${cold}) to pip_ashore (wallet ${emptyWallet.wallets[0]}).\n`
    const args = ['--from', threeWallets.username, '--to', `${emptyWallet.userId}`]
    expect(await command(...args, '--token-id', '0x3d')).toEqual({
      code: 0,
      stdout: line,
      stderr: '',
    })
    expect(held(`${emptyWallet.wallets[0]}`, keepers)).toEqual(new Map([['61', 1n]]))
    expect(held(`${cold}`, keepers)?.has('61' as never)).toBe(false)
    expect(world['polygon-mainnet'].chain.events).toHaveLength(1)
  })

  test('moves an amount of an NFT of another contract between any wallets', async () => {
    const { command, held } = await startWorld(script)
    const wallet = newAddress()
    const [from] = oneWallet.wallets
    const sale = ['--contract', 'gear', '--token-id', '3', '--amount', '2']
    const { stdout } = await command('--from', `${from}`, '--to', wallet, ...sale)
    expect(stdout).toBe(
      `2 of Brindlewake Gear 3 (contract ${gear.address} on POLYGON) moved from the wallet ${from} to the wallet ${wallet}.\n`,
    )
    expect(held(wallet, gear)).toEqual(new Map([['3', 2n]]))
    expect(held(`${from}`, gear)?.get('3' as never)).toBe(2n)
  })

  test('says why an NFT was not moved', async () => {
    const { command } = await startWorld(script)
    const move = async (...args: string[]) =>
      (await command('--from', '1001', '--to', '1002', ...args)).stderr
    const [wallet] = oneWallet.wallets
    expect(await move('--token-id', '8')).toBe(
      `The NFT was not moved: ${wallet} does not hold 1 of token 8.\n`,
    )
    expect(await move('--token-id', '7', '--amount', '2')).toContain('amount must be 1')
  })

  test.each([
    [[], /^Usage: npm run --silent move-nft -- --from PLAYER --to PLAYER --token-id N /],
    [['--from', 'nobody', '--to', '1002', '--token-id', '1'], /^--from must be the address of /],
    [['--from', '1001', '--to', '0x12', '--token-id', '1'], /^--to must be the address of /],
  ])('fails with one line for the arguments %j', async (args, message) => {
    expect(await failureOf(script, newFolder(), ...args)).toMatch(message)
  })
})
