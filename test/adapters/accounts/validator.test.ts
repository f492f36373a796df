import { beforeAll, describe, expect, test } from 'vitest'
import {
  callOrigin,
  validatorAnswer,
  validatorCall,
} from '../../../lib/adapters/accounts/validator-call.ts'
import type { Address } from '../../../lib/domain/nft/address.ts'
import {
  type ContractName,
  callOf,
  creationOf,
  encoded,
} from '../../support/smart-accounts/contracts.ts'
import { type EvmChain, evmChain } from '../../support/smart-accounts/evm-chain.ts'
import {
  counterfactual,
  newKey,
  type Owned,
  oneOwner,
  wrapped,
} from '../../support/smart-accounts/signers.ts'

const [hereId, thereId] = [8453, 10]
let here: EvmChain
let there: EvmChain

beforeAll(async () => {
  here = await evmChain(hereId)
  there = await evmChain(thereId)
})

/** What the validator says on a chain of a signature; how its run has failed, if it has. */
async function judge(chain: EvmChain, address: Address, text: string, signature: string) {
  const call = validatorCall(address, text, signature)
  if (!call) return 'refuses'
  const { failure, returned } = await chain.call({ ...call, gas: Number(call.gas) })
  return failure ?? validatorAnswer(returned) ?? returned
}

const text = 'Sign in to tessaly.'
const yes = `1626ba7e${'0'.repeat(56)}`
const zero = `0x${'00'.repeat(20)}`
const newAddress = () => newKey().address

/** Deploys a contract at the same address on both chains, and returns the address. */
async function onBoth(creations: { here: string; there: string }): Promise<Address> {
  const deployer = newAddress()
  const address = await here.deploy(creations.here, deployer)
  expect(await there.deploy(creations.there, deployer)).toBe(address)
  return address
}

/** An account without code. Its signatures name a factory, or a contract that calls the factory. */
async function undeployed({ isForwarded = false } = {}) {
  const owned = oneOwner()
  const factory = await here.deploy(creationOf('Factory'))
  const { address, call } = counterfactual(factory, owned.creation)
  const [named, callOfNamed] = isForwarded
    ? [await here.deploy(creationOf('Forward')), `${factory}${call.slice(2)}`]
    : [factory, call]
  const signature = wrapped(named, callOfNamed, owned.sign(text, address, hereId))
  return { address, signature }
}

/** Smart accounts of each kind, and a signature of the text by their owners. */
const kinds = {
  async 'with one owner'() {
    const owned = oneOwner()
    const address = await here.deploy(owned.creation)
    return { address, signature: owned.sign(text, address, hereId) }
  },
  'that a factory creates when it is asked': () => undeployed(),
  'that a contract has a factory create': () => undeployed({ isForwarded: true }),
  async 'of a key that delegates to a contract (EIP-7702)'() {
    const key = newKey()
    await here.delegate(key.address, await here.deploy(creationOf('OwnKey')))
    return { address: key.address, signature: oneOwner(key).sign(text, key.address, hereId) }
  },
}

describe('An account', () => {
  test.each(Object.entries(kinds))('%s accepts what its owners sign', async (_, make) => {
    const { address, signature } = await make()
    expect(await judge(here, address, text, signature)).toBe('accepts')
    expect(await judge(here, address, `${text} `, signature)).toBe('refuses')
    expect(await judge(there, address, text, signature)).toBe('no_account')
  })

  test('that delegates to what accepts anything accepts anything (EIP-7702)', async () => {
    const address = newAddress()
    await here.delegate(address, await here.deploy(creationOf('AcceptsAnything')))
    expect(await judge(here, address, text, '0x00')).toBe('accepts')
    // The most bytes that a signature has.
    expect(await judge(here, address, text, `0x${'ff'.repeat(8_191)}`)).toBe('accepts')
    await here.delegate(address, newAddress())
    expect(await judge(here, address, text, '0x00')).toBe('refuses')
  })

  test('at an address where somebody else has one on another chain is another one', async () => {
    const [victim, attacker] = [oneOwner(), oneOwner()]
    const address = await onBoth({ here: victim.creation, there: attacker.creation })
    const answer = (chain: EvmChain, owned: Owned, chainId: number) =>
      judge(chain, address, text, owned.sign(text, address, chainId))
    expect(await answer(here, victim, hereId)).toBe('accepts')
    expect(await answer(there, attacker, thereId)).toBe('accepts')
    for (const chainId of [hereId, thereId]) {
      expect(await answer(there, victim, chainId)).toBe('refuses')
      expect(await answer(here, attacker, chainId)).toBe('refuses')
    }
  })

  test('whose owner was replaced on one chain has its first owner on the other', async () => {
    const [first, next] = [newKey(), newKey()]
    const owned = oneOwner(first)
    const address = await onBoth({ here: owned.creation, there: owned.creation })
    await here.send(address, callOf('replace(address)', next.address))
    const ofFirst = (chainId: number) => owned.sign(text, address, chainId)
    expect(await judge(here, address, text, ofFirst(hereId))).toBe('refuses')
    expect(await judge(there, address, text, ofFirst(thereId))).toBe('accepts')
    const ofNext = oneOwner(next).sign(text, address, hereId)
    expect(await judge(here, address, text, ofNext)).toBe('accepts')
  })

  test('counts as long as it has code', async () => {
    const owned = oneOwner()
    const factory = await here.deploy(creationOf('Factory'))
    const { address, call } = counterfactual(factory, owned.creation)
    const signature = owned.sign(text, address, hereId)
    expect(await judge(here, address, text, signature)).toBe('no_account')
    await here.send(factory, call)
    expect(await judge(here, address, text, signature)).toBe('accepts')
    expect(await judge(here, address, text, wrapped(factory, call, signature))).toBe('accepts')
    await here.setCode(address, '0x')
    expect(await judge(here, address, text, signature)).toBe('no_account')
  })

  test('that exists is not changed before it is asked', async () => {
    const [owner, attacker] = [oneOwner(), newKey()]
    const address = await here.deploy(owner.creation)
    const changes = callOf('replace(address)', attacker.address)
    const ofAttacker = oneOwner(attacker).sign(text, address, hereId)
    expect(await judge(here, address, text, wrapped(address, changes, ofAttacker))).toBe('refuses')
    const ofOwner = owner.sign(text, address, hereId)
    expect(await judge(here, address, text, wrapped(address, changes, ofOwner))).toBe('accepts')
    await here.send(address, changes)
    expect(await judge(here, address, text, ofAttacker)).toBe('accepts')
  })
})

const junk: Record<string, Parameters<typeof creationOf>> = {
  'returns nothing': ['Answers', { bytes: '' }, 0],
  'returns 31 bytes': ['Answers', { bytes: yes.slice(0, -2) }, 0],
  'returns 33 bytes': ['Answers', { bytes: `${yes}00` }, 0],
  'returns 4 bytes': ['Answers', { bytes: '1626ba7e' }, 0],
  'returns two words': ['Answers', { bytes: yes + yes }, 0],
  'returns the word true': ['Answers', { bytes: encoded(1) }, 0],
  'returns the magic at the end of the word': ['Answers', { bytes: encoded('1626ba7e') }, 0],
  'returns the magic of another function': ['Answers', { bytes: `20c13b0b${yes.slice(8)}` }, 0],
  'returns a magic with dirty bytes': ['Answers', { bytes: `${yes.slice(0, -1)}1` }, 0],
  'returns the magic and all ones': ['Answers', { bytes: '1626ba7e'.padEnd(64, 'f') }, 0],
  'reverts with the magic': ['Answers', { bytes: yes }, 1],
  'reverts with nothing': ['Answers', { bytes: '' }, 1],
  'returns a megabyte': ['Bomb', 2 ** 20, 0],
  'reverts with a megabyte': ['Bomb', 2 ** 20, 1],
  'returns as much as its gas permits': ['Bomb', 2_700_000, 0],
  'reverts with as much as its gas permits': ['Bomb', 2_700_000, 1],
  'self-destructs': ['SelfDestruct'],
  'changes its state': ['CountsCalls'],
  'trusts a call without a sender': ['TrustsOriginZero'],
  'runs into an invalid opcode': ['InvalidOpcode'],
}

describe('A contract that', () => {
  test.each(Object.entries(junk))('%s refuses', async (_, args) => {
    const address = await here.deploy(creationOf(...args))
    expect(await judge(here, address, text, '0x1b')).toBe('refuses')
  })

  test.each(Object.entries(junk))('%s is no factory', async (_, args) => {
    const factory = await here.deploy(creationOf(...args))
    const owned = oneOwner()
    const real = await here.deploy(creationOf('Factory'))
    const { address, call } = counterfactual(real, owned.creation)
    const signature = owned.sign(text, address, hereId)
    const ask = (factory: string) => judge(here, address, text, wrapped(factory, call, signature))
    expect(await ask(factory)).toBe('no_account')
    expect(await ask(zero)).toBe('no_account')
    expect(await ask(address)).toBe('no_account')
    expect(await ask(real)).toBe('accepts')
  })

  test('returns the magic and 28 zeros accepts', async () => {
    const address = await here.deploy(creationOf('Answers', { bytes: yes }, 0))
    expect(await judge(here, address, text, '0x1b')).toBe('accepts')
  })

  test('trusts a call without a sender would accept one', async () => {
    const address = await here.deploy(creationOf('TrustsOriginZero'))
    const call = { ...validatorCall(address, text, '0x1b'), gas: 1_000_000 }
    expect(call.from).toBe(callOrigin)
    expect(await here.call(call)).toEqual({ returned: '0x00' })
    expect(await here.call({ ...call, from: zero })).toEqual({ returned: '0x01' })
  })

  test('changes its state can count calls', async () => {
    const address = await here.deploy(creationOf('CountsCalls'))
    expect(await here.call({ to: address, gas: 1_000_000 })).toEqual({ returned: `0x${yes}` })
  })
})

/** Cases that burn all gas take an EVM in JavaScript up to a second each: the soak runs more. */
const isLong = process.env['GENERATED_PROOFS'] !== undefined

describe('Gas', () => {
  const burners: ContractName[] = ['InvalidOpcode', 'CallsItself']
  if (isLong) burners.push('Loop')

  test.each(burners)('that the contract %s burns leaves enough for an answer', async (name) => {
    const burner = await here.deploy(creationOf(name))
    const factory = await here.deploy(creationOf('Factory'))
    const owned = oneOwner()
    const { address, call } = counterfactual(factory, owned.creation)
    const signature = owned.sign(text, address, hereId)
    expect(await judge(here, burner, text, `0x${'ff'.repeat(8_191)}`)).toBe('refuses')
    expect(await judge(here, address, text, wrapped(burner, call, signature))).toBe('no_account')
  })

  const left = isLong
    ? Array.from({ length: 200 }, (_, at) => 100 + 50 * at ** 2)
    : [100, 3_000, 30_000]

  test.each(left)('of which a factory leaves %i is enough for an answer', async (gas) => {
    const factory = await here.deploy(creationOf('GreedyFactory'))
    const word = gas.toString(16).padStart(64, '0')
    for (const created of [oneOwner().creation, creationOf('InvalidOpcode')]) {
      const { address, call } = counterfactual(factory, created)
      const greedy = `0x${call.slice(2, 66)}${word}${call.slice(66)}`
      const signature = wrapped(factory, greedy, `0x${'ff'.repeat(65)}`)
      expect(await judge(here, address, text, signature)).toBe('refuses')
    }
  })
})
