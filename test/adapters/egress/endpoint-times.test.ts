import type { Socket } from 'node:net'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  answered,
  countedRequests,
  endpointsWith,
  messageTo,
  outcomeAt,
  tcpEndpoint,
  tlsEndpoint,
} from './endpoint-fixture.ts'

const late = { failure: 'timeout' }
const timeoutMilliseconds = 400

/** Sends one more byte every 10 ms, for as long as the connection is there. */
function drip(socket: Socket, byte: string) {
  const dripping = setInterval(() => socket.write(byte), 10)
  socket.on('close', () => clearInterval(dripping))
}

/** A server that begins an answer when it has the request. */
const beginning = (text: string, then: (socket: Socket) => unknown = () => undefined) =>
  tlsEndpoint((socket) =>
    socket.once('data', () => {
      socket.write(text)
      then(socket)
    }),
  )

const okHead = 'HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n'

/** Stops all time limits, until the test ends. */
function stopTimers() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
}

describe('D120: a webhook that hangs', () => {
  test('at the lookup of its host', async () => {
    const lookup = () => new Promise<never>(() => undefined)
    expect(await outcomeAt(443, { lookup, timeoutMilliseconds })).toEqual(late)
  })

  test('at the lookup: an answer that comes later leads to no connection', async () => {
    const endpoint = await tcpEndpoint()
    const requests = countedRequests()
    const found = Promise.withResolvers<{ address: string }[]>()
    const lookup = () => found.promise
    expect(await outcomeAt(endpoint.port, { lookup, timeoutMilliseconds: 20 })).toEqual(late)
    found.resolve([{ address: '127.0.0.1' }])
    // Another attempt, which goes through all steps, begins after this one would have gone on.
    const { port, connections } = await beginning('HTTP/1.1 204 \r\n\r\n')
    expect(await outcomeAt(port)).toEqual(answered(204))
    expect(connections).toHaveLength(1)
    expect(requests.count).toBe(1)
    expect(endpoint.connections).toEqual([])
  })

  test('before TLS', async () => {
    const endpoint = await tcpEndpoint((socket) => socket.resume())
    expect(await outcomeAt(endpoint.port, { timeoutMilliseconds })).toEqual(late)
    await endpoint.abandoned()
  })

  test.each([
    ['before the answer', '', undefined],
    ['with headers of one byte at a time', 'HTTP/1.1 200 OK\r\na: ', 'x'],
    ['with empty lines before the answer', '', '\n'],
    ['within the headers', 'HTTP/1.1 200 OK\r\n', undefined],
    ['after an informational answer', 'HTTP/1.1 103 Early\r\n\r\n', undefined],
  ])('%s', async (_, text, byte) => {
    const endpoint = await beginning(text, (socket) => byte && drip(socket, byte))
    expect(await outcomeAt(endpoint.port, { timeoutMilliseconds })).toEqual(late)
    await endpoint.abandoned()
  })

  test.each([
    ['before the body', okHead, undefined],
    ['with a body of one byte at a time', okHead, 'x'],
    ['with a body of one byte at a time until it ends', 'HTTP/1.1 200 OK\r\n\r\n', 'x'],
    ['with chunks', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', '1\r\nx\r\n'],
  ])('%s, if the body is wanted', async (_, text, byte) => {
    const endpoint = await beginning(text, (socket) => byte && drip(socket, byte))
    const wanted = { answerBytes: 16_384, timeoutMilliseconds }
    expect(await outcomeAt(endpoint.port, wanted)).toEqual(late)
    await endpoint.abandoned()
    expect(await outcomeAt(endpoint.port)).toEqual(answered(200))
  })

  test('and does not read what it is sent', async () => {
    const given = Promise.withResolvers<void>()
    const endpoint = await tlsEndpoint(async (socket) => {
      await given.promise
      socket.resume()
    })
    const body = 'x'.repeat(50_000_000)
    expect(await outcomeAt(endpoint.port, { body, timeoutMilliseconds })).toEqual(late)
    given.resolve()
    await endpoint.abandoned()
    expect(endpoint.connections[0]?.bytesRead).toBeLessThan(40_000_000)
  })

  test('is given up after 15 s', async () => {
    stopTimers()
    const ended = vi.fn()
    const lookup = () => new Promise<never>(() => undefined)
    const attempt = endpointsWith({ lookup }).send(messageTo(443), { answerBytes: 0 })
    const ending = attempt.then(ended)
    await vi.advanceTimersByTimeAsync(14_999)
    expect(ended).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    await ending
    expect(ended).toHaveBeenCalledWith({ ...late, milliseconds: expect.any(Number) })
    expect(vi.getTimerCount()).toBe(0)
  })

  test.each([
    ['that may wait', async () => true, answered(200)],
    ['that may not wait', async () => false, { ...late, isGivenUp: true }],
    [
      'of which nobody can say it',
      () => Promise.reject(new Error('no table')),
      { ...late, isGivenUp: true },
    ],
  ])('D143: of an attempt %s longer', async (_, decide, expected) => {
    const decision = vi.fn(decide)
    const answer = Promise.withResolvers<void>()
    const answerOn = async (socket: Socket) => {
      await answer.promise
      socket.write(okHead)
    }
    const endpoint = await beginning('', (socket) => void answerOn(socket))
    const mayWait = async () => {
      const may = await decision()
      answer.resolve()
      return may
    }
    const patience = { milliseconds: 50, mayWait }
    const attempt = endpointsWith().send(messageTo(endpoint.port), { answerBytes: 0, patience })
    const { milliseconds: __, ...outcome } = await attempt
    expect(outcome).toEqual(expected)
    expect(decision).toHaveBeenCalledTimes(1)
    await endpoint.abandoned()
  })

  test('leaves no timer once it has answered', async () => {
    stopTimers()
    await endpointsWith({ lookup: async () => [] }).send(messageTo(443), { answerBytes: 0 })
    expect(vi.getTimerCount()).toBe(0)
  })
})
