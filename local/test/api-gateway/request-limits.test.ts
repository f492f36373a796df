import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { gatewayError, useGateway } from './gateway-fixture.ts'

const { send, post, open, raw } = await useGateway()

describe('limits', () => {
  /** Returns a request of the given size in bytes, without a body. */
  const head = (bytes: number, inQuery: boolean) => {
    const frame = ['GET /echo?', ' HTTP/1.1\r\nhost: h\r\nconnection: close\r\nx: ', '\r\n\r\n']
    // The empty line at the end is part of neither the request line nor a header.
    const filler = 'x'.repeat(bytes - frame.join('').length + 2)
    return inQuery
      ? frame.join(filler).replace(`x: ${filler}`, 'x: ')
      : frame.join('').replace('x: ', `x: ${filler}`)
  }

  test.each([true, false])(
    'accepts request line and headers of up to 10,240 bytes (query: %s)',
    async (inQuery) => {
      expect(await raw(head(10_240, inQuery))).toMatch(/^HTTP\/1\.1 200 /)
      const reply = await raw(head(10_241, inQuery))
      expect(reply).toMatch(/^HTTP\/1\.1 431 Request Header Fields Too Large\r\n/)
      expect(reply).toMatch(/\r\n\r\n\{"message":"Request Header Fields Too Large"\}$/)
    },
  )

  test.each([60_000, 70_000, 1_000_000])(
    'responds to headers of %i bytes with 431',
    async (bytes) => {
      const reply = await raw(head(bytes, false))
      expect(reply).toMatch(/^HTTP\/1\.1 431 Request Header Fields Too Large\r\n/)
      expect(reply).toContain('\r\ncontent-type: application/json\r\n')
      expect(reply).toMatch(/\r\n\r\n\{"message":"Request Header Fields Too Large"\}$/)
    },
  )

  test('accepts a body if its event has up to 6,291,456 bytes', async () => {
    const type = { 'content-type': 'text/plain' }
    const room = 6_291_456 - 2_000
    expect(await post('/bytes', 'x'.repeat(room), type)).toMatchObject({ body: String(room) })
    const refusal = gatewayError(413, 'Request Entity Too Large')
    expect(await post('/bytes', 'x'.repeat(6_291_456), type)).toEqual(refusal)
    // Each of these bytes takes two bytes in JSON. Base64 takes four bytes for three.
    expect(await post('/bytes', '"'.repeat(3_200_000), type)).toEqual(refusal)
    expect(await post('/bytes', Buffer.alloc(4_800_000))).toEqual(refusal)
  })

  test('responds to a larger body with 413, with and without its length, and keeps the connection', async () => {
    const socket = open()
    let received = ''
    socket.on('data', (chunk) => {
      received += chunk
    })
    const refusals = () => received.match(/\{"message":"Request Entity Too Large"\}/g)?.length ?? 0
    const bytes = 12_000_000
    socket.write(`POST /bytes HTTP/1.1\r\nhost: h\r\ncontent-length: ${bytes}\r\n\r\n`)
    await expect.poll(refusals).toBe(1)
    socket.write(Buffer.alloc(bytes))
    socket.write('POST /bytes HTTP/1.1\r\nhost: h\r\ntransfer-encoding: chunked\r\n\r\n')
    for (let sent = 0; sent < bytes; sent += 1_000_000) {
      socket.write('f4240\r\n')
      socket.write(Buffer.alloc(1_000_000))
      socket.write('\r\n')
    }
    await expect.poll(refusals).toBe(2)
    socket.write('0\r\n\r\nGET /nowhere HTTP/1.1\r\nhost: h\r\n\r\n')
    await expect.poll(() => received).toContain('{"message":"Not Found"}')
    socket.destroy()
  })

  test('closes the connection of an endless body', async () => {
    const socket = open()
    socket.resume()
    socket.write('POST /bytes HTTP/1.1\r\nhost: h\r\ntransfer-encoding: chunked\r\n\r\n')
    const megabyte = Buffer.concat([
      Buffer.from('100000\r\n'),
      Buffer.alloc(1_048_576),
      Buffer.from('\r\n'),
    ])
    let megabytes = 0
    while (!socket.destroyed && megabytes < 200) {
      megabytes++
      await new Promise<unknown>((resolve) => socket.write(megabyte, resolve))
    }
    expect(megabytes).toBeLessThan(60)
  })
})

describe('malformed requests', () => {
  test.each([
    ['binary data', '\x00\xff\x16\x03garbage\r\n\r\n'],
    ['a bad header', 'GET /echo HTTP/1.1\r\nhost: h\r\nno colon\r\n\r\n'],
    ['no host', 'GET /echo HTTP/1.1\r\nconnection: close\r\n\r\n'],
    ['a bad chunk', 'POST /echo HTTP/1.1\r\nhost: h\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n'],
  ])('responds to %s with 400', async (_, bytes) => {
    const reply = await raw(Buffer.from(bytes, 'latin1'))
    expect(reply).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
    expect(reply).toContain('\r\napigw-requestid: ')
    expect(reply).toMatch(/\r\n\r\n\{"message":"Bad Request"\}$/)
  })

  test('responds to CONNECT with 404, and ignores upgrades and unknown expectations', async () => {
    expect(await raw('CONNECT h:443 HTTP/1.1\r\nhost: h\r\n\r\n')).toMatch(/^HTTP\/1\.1 404 /)
    const upgrade = 'connection: upgrade, close\r\nupgrade: websocket\r\n'
    const odd = 'connection: close\r\nexpect: cake\r\n'
    for (const headers of [upgrade, odd]) {
      const reply = await raw(`GET /echo HTTP/1.1\r\nhost: h\r\n${headers}\r\n`)
      expect(reply).toMatch(/^HTTP\/1\.1 200 /)
    }
  })

  test('responds once if malformed data follows a request', async () => {
    const reply = await raw(
      'POST /waits HTTP/1.1\r\nhost: h\r\ncontent-length: 0\r\n\r\n\x00\x01\r\n\r\n',
    )
    expect(reply.match(/HTTP\/1\.1/g)).toHaveLength(1)
  })

  test('continues to serve after clients have disconnected', async () => {
    const beginnings = [
      '',
      'POST /ec',
      'POST /echo HTTP/1.1\r\nhost: h\r\ncontent-length: 100\r\n\r\nabc',
      'POST /waits HTTP/1.1\r\nhost: h\r\ncontent-length: 0\r\n\r\n',
      'POST /huge HTTP/1.1\r\nhost: h\r\ncontent-length: 0\r\n\r\n',
    ]
    for (const bytes of beginnings) {
      const socket = open()
      await once(socket, 'connect')
      socket.write(bytes)
      await sleep(20)
      socket.resetAndDestroy()
    }
    await sleep(400)
    expect((await send('/echo')).status).toBe(200)
  })
})
