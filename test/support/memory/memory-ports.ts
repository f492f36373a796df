import { randomUUID } from 'node:crypto'
import { compareTokenIds, type TokenId } from '../../../lib/domain/allowlist/token-id.ts'
import { rangeWith, sameTokenIds } from '../../../lib/domain/allowlist/token-ranges.ts'
import { CursorExpired } from '../../../lib/domain/failures.ts'
import {
  type BindingId,
  type ContractKey,
  type ContractWithRanges,
  compareContracts,
} from '../../../lib/domain/nft/nft.ts'
import type {
  AllowedTokenIds,
  Contracts,
  FindAllowed,
} from '../../../lib/domain/ports/allowlist.ts'
import type { Cursors } from '../../../lib/domain/ports/cursors.ts'
import type { ProductDeletions, ProductEvents } from '../../../lib/domain/ports/products.ts'
import type { Refreshes } from '../../../lib/domain/ports/refreshes.ts'
import type { ProductId } from '../../../lib/domain/product/product.ts'
import {
  type RefreshState,
  startAfter,
  unsettledBy,
} from '../../../lib/domain/refresh/refresh-state.ts'
import type { WorkPorts } from '../../../lib/domain/work/process-work-item.ts'
import type { ProductWork } from '../../../lib/domain/work/work-item.ts'
import type { Memory } from './memory.ts'
import { indexerOf } from './memory-indexer.ts'

/** Called before and after each port call takes effect. May throw or wait. */
export type Tap = (call: string, when: 'before' | 'after') => unknown

/** The ports of the domain, kept in memory: each call takes effect at one moment, between two taps. */
export function memoryPorts(memory: Memory, tap: Tap = () => undefined): WorkPorts {
  const ports = {
    productAccess: { get: async () => memory.product },
    contracts: contractsIn(memory),
    allowedTokenIds: allowedTokenIdsIn(memory),
    refreshes: refreshesIn(memory),
    events: eventsIn(memory),
    indexer: indexerOf(memory),
    workQueue: {
      send: async (item: ProductWork, delaySeconds?: number) => {
        memory.queue.push(item)
        memory.delays.push(delaySeconds)
      },
    },
    productDeletions: productDeletionsIn(memory),
  }
  return tapPorts({ ...ports, sweepDelaySeconds: 60 } as WorkPorts, tap)
}

/** The ports with taps before and after each call. */
export function tapPorts<Ports extends object>(ports: Ports, tap: Tap): Ports {
  const tapped = Object.entries(ports).map(([name, port]) => [
    name,
    typeof port === 'object' ? tapPort(name, port, tap) : port,
  ])
  return Object.fromEntries(tapped) as Ports
}

/** The port with taps. Wraps a method when it is called, because most calls of a domain function use few of them. */
function tapPort(name: string, port: object, tap: Tap): object {
  return new Proxy(port, {
    get: (methods, method: string, tapped) => {
      const call = (methods as Record<string, Method>)[method]
      // Nobody waits for it.
      if (method === 'prepare') return call
      // Memory looks nothing up in advance.
      if (method === 'expected') return () => tapped.findAllowed
      return async (...args: unknown[]) => {
        await tap(`${name}.${method}`, 'before')
        const answer = await call?.(...args)
        await tap(`${name}.${method}`, 'after')
        return answer
      }
    },
  })
}

type Method = (...args: unknown[]) => Promise<unknown>

const keyOf = (productId: ProductId, { chain, address }: ContractKey) =>
  `${productId} ${chain} ${address}`

function contractsIn({ contracts, descriptions }: Memory): Contracts {
  const plain = ({ chain, address, bindingId, ranges }: ContractWithRanges) => ({
    chain,
    address,
    bindingId,
    ranges,
  })
  const list = (productId: ProductId) =>
    [...contracts.values()]
      .filter((contract) => contract.productId === productId)
      .map(plain)
      .sort(compareContracts)
  return {
    list: async (productId) => list(productId),
    get: async (productId, key) => {
      const found = contracts.get(keyOf(productId, key))
      return found && plain(found)
    },
    page: async (productId, { after, limit }) =>
      list(productId)
        .filter((contract) => !after || compareContracts(contract, after) > 0)
        .slice(0, limit)
        .map((contract) => ({ ...contract, connectedAt: new Date(0).toISOString() })),
    descriptions: async (listed) =>
      listed.map(({ bindingId }) => descriptions.get(bindingId) ?? ''),
    describe: async ({ bindingId }, description) => {
      descriptions.set(bindingId, description)
    },
    connect: async (productId, key, ranges) => {
      const at = keyOf(productId, key)
      if (contracts.has(at)) return undefined
      const made = { ...key, bindingId: randomUUID() as string as BindingId, ranges }
      contracts.set(at, { ...made, productId })
      return made
    },
    replaceRanges: async (productId, contract, ranges) => {
      const found = contracts.get(keyOf(productId, contract))
      if (found?.bindingId !== contract.bindingId) return undefined
      if (!sameTokenIds(found.ranges, contract.ranges)) return undefined
      contracts.set(keyOf(productId, contract), { ...found, ranges })
      return { ...contract, ranges }
    },
    disconnect: async (productId, contract) => {
      const at = keyOf(productId, contract)
      if (contracts.get(at)?.bindingId === contract.bindingId) contracts.delete(at)
    },
  }
}

function allowedTokenIdsIn({ allowed, descriptions }: Memory): AllowedTokenIds {
  const under = (bindingId: BindingId): Set<TokenId> => allowed.get(bindingId) ?? new Set()
  const listed = (bindingId: BindingId, after?: TokenId) =>
    [...under(bindingId)]
      .sort(compareTokenIds)
      .filter((tokenId) => after === undefined || compareTokenIds(tokenId, after) > 0)
  const findAllowed: FindAllowed = async (entries) =>
    entries.filter(({ bindingId, tokenId }) => under(bindingId).has(tokenId))
  return {
    add: async (bindingId, tokenIds) => {
      if (tokenIds.length > 0) allowed.set(bindingId, new Set([...under(bindingId), ...tokenIds]))
    },
    remove: async (bindingId, tokenIds) =>
      tokenIds.filter((tokenId) => under(bindingId).delete(tokenId)).length,
    removeInBatches: async (bindingId, tokenIds) =>
      tokenIds.filter((tokenId) => under(bindingId).delete(tokenId)).length,
    list: async (bindingId, { after, limit }) => listed(bindingId, after).slice(0, limit),
    listIn: async (bindingId, range, limit) =>
      listed(bindingId)
        .filter((tokenId) => rangeWith([range], BigInt(tokenId)))
        .slice(0, limit),
    count: async (bindingId, { after }) => listed(bindingId, after).length,
    countEach: async (bindingIds, atMost) =>
      bindingIds.map((bindingId) => Math.min(listed(bindingId).length, atMost)),
    findAllowed,
    expected: () => findAllowed,
    sweep: async (bindingId) => {
      const deleted = under(bindingId).size
      allowed.delete(bindingId)
      descriptions.delete(bindingId)
      return { isDone: true, deleted }
    },
  }
}

/** A started refresh prevents the next until the memory says that it is due. */
function refreshesIn(memory: Memory): Refreshes {
  const { refreshes } = memory
  return {
    start: async (productId, contract) => {
      const at = keyOf(productId, contract)
      const { bindingId } = contract
      const earlier = refreshes.get(at)
      const isInForce = earlier?.bindingId === bindingId && !earlier.isAbandoned
      if (isInForce && !memory.isNextRefreshDue) return undefined
      const unsettled = earlier && unsettledBy(earlier)
      const counts = { checked: 0, changed: 0, failed: 0 }
      const refreshedAt = new Date().toISOString()
      const began = { refreshId: randomUUID(), bindingId, refreshedAt, ...counts }
      const start = earlier ? startAfter(earlier) : {}
      const state: RefreshState = { ...began, ...(unsettled && { unsettled }), ...start }
      refreshes.set(at, state)
      return state
    },
    abandon: async (productId, contract, started) => {
      const at = keyOf(productId, contract)
      if (refreshes.get(at)?.refreshId !== started.refreshId) return
      refreshes.set(at, { ...started, isAbandoned: true })
    },
    get: async (productId, contract) => {
      const state = refreshes.get(keyOf(productId, contract))
      return state?.isAbandoned ? undefined : state
    },
    advance: async (productId, contract, from, to) => {
      const at = keyOf(productId, contract)
      const now = refreshes.get(at)
      if (now?.refreshId !== from.refreshId || now.position !== from.position) return false
      if (now.contractPages?.read !== from.contractPages?.read) return false
      refreshes.set(at, to)
      return true
    },
  }
}

function eventsIn({ events }: Memory): ProductEvents {
  return {
    begin: async (_, event) => {
      const eventId = `event-${events.length + 1}`
      events.push({ ...event, eventId, at: new Date().toISOString() })
      return eventId
    },
    settle: async (_, eventId, outcome, count) => {
      const event = events.find((each) => each.eventId === eventId)
      if (event) Object.assign(event, { outcome, ...(count !== undefined && { count }) })
    },
    list: async (_, { after, limit }) => {
      const newestFirst = events.toReversed()
      const start = newestFirst.findIndex(({ eventId }) => eventId === after) + 1
      return newestFirst.slice(start, start + limit)
    },
  }
}

/** Cursors that contain their content as plain text. */
export const memoryCursors: Cursors = {
  seal: async (place, context) => JSON.stringify({ place, context }),
  open: async (cursor, context) => {
    const sealed = JSON.parse(cursor)
    if (JSON.stringify(sealed.context.scope) !== JSON.stringify(context.scope)) return undefined
    if (JSON.stringify(sealed.context.basis) !== JSON.stringify(context.basis))
      throw new CursorExpired()
    return sealed.place
  },
}

/** The deletion of the only product. */
function productDeletionsIn(memory: Memory): ProductDeletions {
  return {
    end: async () => {
      memory.product &&= { ...memory.product, endedAt: new Date().toISOString() }
      return memory.product !== undefined
    },
    sweep: async () => {
      const items = memory.events.splice(0).length + memory.refreshes.size
      memory.refreshes.clear()
      return { isDone: true, apiKeys: 0, items }
    },
    remove: async () => {
      memory.product = undefined
    },
  }
}
