import { setTimeout as sleep } from 'node:timers/promises'
import { transfer } from '@player-nfts/local/indexer/chain/movements'
import type { World } from '@player-nfts/local/indexer/world'
import { numbers, samples } from '@player-nfts/local/samples'
import { expect } from 'vitest'
import type { OperationId } from '../../../functions/operations.ts'
import { followerName } from '../../../lib/contract/background-names.ts'
import { acceptedRequest, callName } from '../accepted-requests.ts'
import { type Item, tableOf } from '../aws/stored-items.ts'
import type { TestAws } from '../aws/test-aws.ts'
import type { Sent } from '../requests/client.ts'
import type { GrantedService } from '../services/granted-service.ts'
import { newAddress } from '../services/service.ts'
import { ok } from './drives.ts'

const { address, chain, tokenIds } = samples.collections.gear

/** A container shows metadata again for so long without reading it. */
const shownMilliseconds = 1_100

/** The messages that other drives look after. */
const ofProducts = /"kind":"(sweep|refresh|deleteProduct)"/

/**
 * The drive of everything that keeps holdings (D152), in which readers, the follower and the worker take part: the sample equipment is
 * read, kept, moved, refused a snapshot, and let go. It is driven once, whoever asks for it.
 */
export function keepingDrive(
  service: GrantedService,
  { access, resources }: TestAws,
  world: World,
): () => Promise<void> {
  const { itemsUnder, put, remove } = tableOf({ stack: { aws: access, resources } })
  const { call, iam } = service

  const itemsOf = (kind: string) => itemsUnder(`${kind}#`)
  const kept = async () => (await itemsOf('KEPT')).find(({ sk }) => sk === address)

  let seen = 0
  let waiting: { message: string; from: number }[] = []
  /** Lets the worker process what was sent to its queue for what is kept, and waits as long as it was sent for. */
  async function work(): Promise<void> {
    for (const { permissions, body } of iam.calls.slice(seen)) {
      if (!permissions.includes('sqs:SendMessage on WorkQueue')) continue
      const { MessageBody: message, DelaySeconds: delay } = body
      if (!ofProducts.test(message)) waiting.push({ message, from: Date.now() + delay * 1_000 })
    }
    seen = iam.calls.length
    const due = waiting.filter(({ from }) => from <= Date.now())
    waiting = waiting.filter((each) => !due.includes(each))
    for (const { message } of due) await service.work(message)
  }

  /** Follows and works until something is there, which takes up to a minute: events settle, and both passes over owners wait for it. */
  async function until(isThere: () => Promise<boolean> | boolean): Promise<void> {
    const end = Date.now() + 240_000
    while (!(await isThere())) {
      expect(Date.now()).toBeLessThan(end)
      await service.follow()
      await work()
      await sleep(1_000)
    }
  }

  /** Whether the follower has written an item of a kind. */
  const hasWritten = (kind: string): boolean =>
    iam.calls.some(
      ({ caller, permissions }) =>
        caller === followerName && permissions.includes(`dynamodb:PutItem on Table for ${kind}#*`),
    )

  /** Lets the two operations read, each as the first one in a minute, so that each notes that the chain is read. */
  async function read(reads: readonly (readonly [OperationId, Sent])[]): Promise<void> {
    for (const [id, sent] of reads) {
      for (const { askedAt: _, ...item } of await itemsOf('FOLLOW')) {
        if (item.sk === 'READERS') await put(item)
      }
      await ok(call(callName(id), sent))
    }
  }

  const equipment = { network: 'polygon-mainnet', address } as const
  /** Mints one of the equipment to a new wallet. */
  const mint = (tokenId: string) =>
    transfer(world, { ...equipment, tokenId }, { to: newAddress() }, Date.now())

  /** Mints to a new wallet what does not fit the head of its list. */
  function mintMany(): void {
    const to = newAddress()
    for (const n of numbers(1, 10)) {
      transfer(world, { ...equipment, tokenId: `${10n ** 60n * BigInt(n)}` }, { to }, Date.now())
    }
  }

  async function keep(): Promise<void> {
    const ids = ['getRawMetadata', 'getStructuredMetadata'] as const
    const reads: [OperationId, Sent][] = []
    for (const id of ids) reads.push([id, await acceptedRequest(service, id)])
    const [first = '', second = ''] = tokenIds
    await read(reads)
    await until(async () => isBegun((await kept())?.['log']))
    await read(reads)
    mint(first)
    await until(async () => (await kept())?.['snapshot'] !== undefined)
    // What is shown is old, and asked for in the background.
    for (const item of await itemsOf('META')) await put({ ...item, readAt: 1_000 })
    await sleep(shownMilliseconds)
    await read(reads)
    for (const item of await itemsOf('METADUE')) await put({ ...item, askFrom: 1 })
    await service.work(JSON.stringify({ kind: 'dueMetadata', chain }))
    mint(second)
    mintMany()
    await until(() => hasWritten('KEPTSUM') && hasWritten('HOLDING'))
    await endLists()
  }

  /** Deletes the lists that no snapshot uses, and removes a contract that was let go. */
  async function endLists(): Promise<void> {
    const { snapshot: _, log: __, ...item } = (await kept()) as Item
    await put({ ...item, pk: `KEPT#${chain}`, sk: newAddress(), ended: { reason: 'letGo', at: 1 } })
    for (const key of await itemsOf('KEPTCHOICE')) await remove(key)
    await service.work(JSON.stringify({ kind: 'upkeep' }))
    for (const { sk } of await itemsOf('KEPTLISTS')) {
      const [contract, id] = sk.split('#')
      const snapshot = { chain, address: contract, id }
      await service.work(JSON.stringify({ kind: 'deleteLists', snapshot }))
    }
  }

  let driven: Promise<void> | undefined
  return () => {
    driven ??= keep()
    return driven
  }
}

/** Whether the log of a contract is whole from a block on. */
const isBegun = (log: unknown): boolean => typeof log === 'object' && log !== null && 'since' in log
