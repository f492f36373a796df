import {
  auditHoldings,
  type Confirmation,
  confirmSuspicion,
  type Suspicion,
} from '../audits/audit-holdings.ts'
import type { Compared } from '../audits/audit-look.ts'
import type { ContractKey } from '../nft/nft.ts'
import type { Deadline } from '../time-budget.ts'
import type { UpkeepWork } from '../work/work-item.ts'
import type { UpkeepPorts } from './upkeep-ports.ts'
import { goesOn, type UpkeepStep, withinBudget } from './upkeep-result.ts'

/** How long after a look at a suspicion it is looked at again: a poll or so later, in milliseconds. */
const againAfter = 15_000

/** How long a suspicion is looked at, in milliseconds. */
const suspectedMilliseconds = 3_600_000

/**
 * Audits a contract; what differs is looked at again in another item, and ends the snapshot then (D154). Throws ServiceUnavailable.
 */
export async function auditContract(
  item: Extract<UpkeepWork, { kind: 'audit' }>,
  deadline: Deadline,
  ports: UpkeepPorts,
): Promise<UpkeepStep> {
  const { contract, suspicion } = item
  const until = item.until ?? ports.now() + suspectedMilliseconds
  if (ports.now() > until) return { outcome: 'undecided' }
  const again = (of: Suspicion): UpkeepStep['next'] => ({
    item: { kind: 'audit', contract, suspicion: of, until },
    pause: againAfter,
  })
  const work = (): Promise<UpkeepStep> =>
    suspicion
      ? confirm(contract, suspicion, { again, deadline }, ports)
      : audit(contract, { again, deadline }, ports)
  const part = await withinBudget(contract, work, ports.callBudget)
  // An audit that has not begun is sent again by upkeep.
  return 'result' in part ? part.result : goesOn(part, suspicion && item)
}

interface Looked {
  again(suspicion: Suspicion): UpkeepStep['next']
  deadline: Deadline
}

async function audit(
  contract: ContractKey,
  { again, deadline }: Looked,
  ports: UpkeepPorts,
): Promise<UpkeepStep> {
  const { contractCares, contractUses, keptContracts, now, random } = ports
  const [item, care, use] = await Promise.all([
    keptContracts.contract(contract),
    contractCares.contract(contract),
    contractUses.of(contract),
  ])
  const nftsPageKey = care.audited?.nftsPageKey
  const query = { recentWallets: use?.wallets ?? [], nftsPageKey, random }
  const result = await auditHoldings(contract, query, ports, deadline)
  if (result.outcome === 'nothing' || !item?.snapshot) return { outcome: 'nothing' }
  const next = result.nftsPageKey
  const audited = {
    id: item.snapshot.id,
    at: now(),
    ...(next !== undefined && { nftsPageKey: next }),
  }
  const { wallets, pairs } = result.checked
  return {
    outcome: result.outcome,
    reason: `${wallets} wallets and ${pairs} pairs compared`,
    ...(result.outcome === 'suspicion' && { next: again(result.suspicion) }),
    // The next audit compares others, so that what this one has found would be lost.
    noteAfterSending: () => contractCares.note(contract, { audited }),
  }
}

async function confirm(
  contract: ContractKey,
  suspicion: Suspicion,
  { again, deadline }: Looked,
  ports: UpkeepPorts,
): Promise<UpkeepStep> {
  const result: Confirmation = await confirmSuspicion(contract, suspicion, ports, deadline)
  const { outcome } = result
  if (outcome === 'suspicion') return { outcome, next: again(result.suspicion) }
  if (outcome !== 'difference') return { outcome }
  if (result.isRepeated) await ports.contractCares.note(contract, { doubtedAt: ports.now() })
  return { outcome: 'ended', reason: differenceText(result.difference), endedSnapshots: 1 }
}

function differenceText({ wallets, pairs }: Compared): string {
  const tokenIds = [...new Set(pairs.map(({ tokenId }) => tokenId))].slice(0, 5)
  const named = tokenIds.length > 0 ? `, with the tokens ${tokenIds.join(', ')}` : ''
  return `another balance on the chain: ${wallets.length} wallets, ${pairs.length} pairs${named}`
}
