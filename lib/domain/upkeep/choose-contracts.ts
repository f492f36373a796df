import { isLetGo, type KeptContract } from '../holdings/kept-contract.ts'
import type { Chain } from '../nft/chain.ts'
import { type ContractKey, compareContracts } from '../nft/nft.ts'
import type { ContractChoice } from '../ports/contract-use.ts'
import { someAtOnce } from '../some-at-once.ts'
import { beginContract, letGoContract } from './contract-life.ts'
import type { UpkeepPorts } from './upkeep-ports.ts'

const maxKept = 1_000

const hour = 3_600_000

/** The time between two looks at the reads of all kept contracts, and between two contracts that take the place of others. */
const lookMilliseconds = hour
const swapMilliseconds = 24 * hour

/**
 * How long wanted contracts are collected before the most read one takes a place. Readers repeat hourly that one is
 * wanted.
 */
const collectMilliseconds = 2 * hour

/** The time after which a contract that was let go is removed. */
const removeMilliseconds = hour

const atOnce = 16

type ChoosePorts = Pick<UpkeepPorts, 'keptContracts' | 'contractUses' | 'now'>

interface Placed extends ContractKey {
  contract: KeptContract
}

/**
 * Chooses which contracts of the followed chains are kept (D153). Each wanted one begins to be kept, as long as there is room; without
 * room, the wanted one that is read most takes the place of the kept one that is read least, if it is read more, at most once a day.
 * Every hour, contracts that nobody has read for seven days are let go, and those that were let go an hour ago are removed. It can be
 * called often, and by several workers at once: without something to do, it reads a small item, and which contracts are wanted. What
 * another process changes meanwhile waits for a later call. Returns the contracts that begin to be kept. Throws ServiceUnavailable.
 */
export async function chooseContracts(
  chains: readonly Chain[],
  ports: ChoosePorts,
  limit = maxKept,
): Promise<ContractKey[]> {
  const { contractUses, keptContracts } = ports
  const now = ports.now()
  const begun: ContractKey[] = []
  const [before, wanted] = await Promise.all([
    contractUses.choice(),
    ofChains(chains, async (chain) =>
      (await contractUses.wanted(chain)).map((address) => ({ chain, address })),
    ),
  ])
  const isLook = now >= before.lookFrom
  if (!isLook && wanted.length === 0) return begun
  if (!isLook && before.isFull && now < before.swapFrom) {
    await collect(wanted, before, ports)
    return begun
  }
  const known = await ofChains(chains, async (chain) =>
    (await keptContracts.contracts(chain)).map((contract) => placed(chain, contract)),
  )
  const left = isLook ? await look(known, before, limit, ports) : undefined
  const { choice, contracts } = left ?? { choice: before, contracts: known }
  await takeWanted(wanted, contracts, choice, { begun, limit, ports })
  return begun
}

interface Choosing {
  begun: ContractKey[]
  limit: number
  ports: ChoosePorts
}

const ofChains = async <Item>(
  chains: readonly Chain[],
  read: (chain: Chain) => Promise<Item[]>,
): Promise<Item[]> => (await Promise.all(chains.map(read))).flat()

const placed = (chain: Chain, contract: KeptContract): Placed => ({
  ...{ chain, address: contract.address, contract },
})

const inUse = (known: readonly Placed[]): Placed[] =>
  known.filter(({ contract }) => !isLetGo(contract))

/**
 * Lets go of what nobody reads, and removes what was let go. Returns what is left; `undefined`: another worker has the
 * hour.
 */
async function look(
  known: readonly Placed[],
  before: ContractChoice,
  limit: number,
  ports: ChoosePorts,
): Promise<{ choice: ContractChoice; contracts: Placed[] } | undefined> {
  const { contractUses } = ports
  const claimed = { ...before, lookFrom: ports.now() + lookMilliseconds }
  if (!(await contractUses.noteChoice(claimed, before))) return undefined
  const left = await someAtOnce(known, atOnce, async (each) => {
    const isGone = isLetGo(each.contract)
      ? await removeLater(each, ports)
      : await letGoUnread(each, ports)
    return isGone ? [] : [each]
  })
  const contracts = left.flat()
  const choice = { ...claimed, isFull: claimed.isFull && inUse(contracts).length >= limit }
  if (choice.isFull !== claimed.isFull) await contractUses.noteChoice(choice, claimed)
  return { choice, contracts }
}

async function removeLater(
  { chain, contract }: Placed,
  { keptContracts, now }: ChoosePorts,
): Promise<boolean> {
  if (now() - (contract.ended?.at ?? 0) < removeMilliseconds) return false
  return await keptContracts.remove(chain, contract)
}

async function letGoUnread({ chain, address }: Placed, ports: ChoosePorts): Promise<boolean> {
  if (await ports.contractUses.of({ chain, address })) return false
  return await letGoContract({ chain, address }, ports)
}

/** Begins to keep wanted contracts, as many as there is room for. */
async function takeWanted(
  wanted: readonly ContractKey[],
  known: readonly Placed[],
  choice: ContractChoice,
  choosing: Choosing,
): Promise<void> {
  const { begun, limit, ports } = choosing
  const kept = inUse(known)
  const isKept = (key: ContractKey) => kept.some((each) => compareContracts(each, key) === 0)
  const { kept: settled = [], fresh = [] } = Object.groupBy(wanted, (key) =>
    isKept(key) ? 'kept' : 'fresh',
  )
  await settle(settled, ports)
  const room = Math.max(0, limit - kept.length)
  await someAtOnce(fresh.slice(0, room), atOnce, async (key) => {
    if (await beginContract(key, ports)) begun.push(key)
  })
  const rest = fresh.slice(room)
  if (rest.length === 0) return
  const now = ports.now()
  if (!choice.isFull) {
    const swapFrom = Math.max(choice.swapFrom, now + collectMilliseconds)
    await ports.contractUses.noteChoice({ ...choice, isFull: true, swapFrom }, choice)
  } else if (now < choice.swapFrom) await collect(rest, choice, ports)
  else await swap(rest, kept, choice, choosing)
}

/** Leaves contracts wanted only if one of them can soon take the place of another one, so that this list stays short. */
async function collect(
  wanted: readonly ContractKey[],
  { swapFrom }: ContractChoice,
  ports: ChoosePorts,
): Promise<void> {
  if (ports.now() < swapFrom - collectMilliseconds) await settle(wanted, ports)
}

async function settle(wanted: readonly ContractKey[], { contractUses }: ChoosePorts) {
  await someAtOnce(wanted, atOnce, (key) => contractUses.settleWanted(key))
}

/** Lets the wanted contract that is read most take the place of the kept one that is read least, if it is read more. */
async function swap(
  wanted: readonly ContractKey[],
  kept: readonly Placed[],
  before: ContractChoice,
  { begun, ports }: Choosing,
): Promise<void> {
  const now = ports.now()
  const readsOf = async ({ chain, address }: ContractKey) => {
    const { reads = 0 } = (await ports.contractUses.of({ chain, address })) ?? {}
    return { key: { chain, address }, reads }
  }
  const [most] = (await someAtOnce(wanted, atOnce, readsOf)).sort((a, b) => b.reads - a.reads)
  const [least] = (await someAtOnce(kept, atOnce, readsOf)).sort((a, b) => a.reads - b.reads)
  const swaps = most && least && most.reads > least.reads
  const swapFrom = now + (swaps ? swapMilliseconds : collectMilliseconds)
  if (!(await ports.contractUses.noteChoice({ ...before, swapFrom }, before))) return
  if (swaps && (await letGoContract(least.key, ports)) && (await beginContract(most.key, ports)))
    begun.push(most.key)
  await settle(wanted, ports)
}
