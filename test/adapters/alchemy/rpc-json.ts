import { toAddress } from '../../../lib/domain/nft/address.ts'
import type { ChainEvents } from '../../../lib/domain/ports/chain-events.ts'
import { type Answer, contract, inTime, onBsc } from './alchemy-stub.ts'

/** The first topics, as they are published with the standards. */
export const topics = {
  Transfer: '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
  ConsecutiveTransfer: '0xdeaa91b6123d068f5821d0fb0678463d1a8a6079fe8af5de3ce5e896dcf9133d',
  TransferSingle: '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62',
  TransferBatch: '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb',
  MetadataUpdate: '0xf8e1a15aba9398e019f0b49df1a4fde98ee17ae345cb5f6b5e2c27f5033e8ce7',
  BatchMetadataUpdate: '0x6bd5c950a8d8df17f772f5af37cb3655737899cbf903264b9795592da439661c',
}

export const [alice, bob] = [toAddress(`0x${'a1'.repeat(20)}`), toAddress(`0x${'b2'.repeat(20)}`)]

/** A topic with these digits at its end. */
export const word = (hex: string) => `0x${hex.replace('0x', '').padStart(64, '0')}`

export const [zero, operator, tokenId] = [word('0'), word('0e'), word('3')]

export const hash = `0x${'5c'.repeat(32)}`

export const transfer = [topics.Transfer, word(alice), word(bob), tokenId]

/** An entry of the event log; a member with the value `undefined` is omitted. */
export const entry = (members: object = {}) => ({
  address: contract,
  topics: transfer,
  data: '0x',
  blockNumber: '0x64',
  blockHash: hash,
  transactionHash: word('7'),
  transactionIndex: '0x0',
  logIndex: '0x2',
  removed: false,
  ...members,
})

export const blockJson = (members: object = {}) => ({
  ...{ number: '0x64', hash, timestamp: '0x6a000000', transactions: [] },
  ...members,
})

export const rpc = (result: unknown) => JSON.stringify({ jsonrpc: '2.0', id: 1, result })

export const rpcError = (code: number, message: string) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code, message } })

/** Asks for the events of the contract in the blocks 100 to 110. */
export const askEvents = (chainEvents: ChainEvents, deadline = inTime()) =>
  chainEvents.events({ chain: 'POLYGON', contracts: [contract], from: 100, to: 110 }, deadline)

export interface Call {
  id: number
  method: string
  params: [{ to: string; data: string }, unknown]
}

export const block = { number: 100, hash }

export const askState = () => ({ contract: onBsc, block, deadline: inTime() })

export const reverted = (code: number, message: string) => ({ error: { code, message } })

/** Responds to each call of a batch: with a result, or with the members of a response. */
export const byCall =
  (
    answerTo: (data: string, index: number, block: unknown) => unknown,
    { isReversed = false } = {},
  ): Answer =>
  (response, { body }) => {
    const responses = (JSON.parse(body) as Call[]).map(({ id, params: [{ data }, at] }) => {
      const answer = answerTo(data, id, at)
      const members = typeof answer === 'string' ? { result: answer } : (answer as object)
      return { jsonrpc: '2.0', id, ...members }
    })
    response.end(JSON.stringify(isReversed ? responses.reverse() : responses))
  }
