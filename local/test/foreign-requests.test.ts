import { once } from 'node:events'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { registration, sharedService } from '../../test/support/services/service.ts'

const service = sharedService()

async function send(target: string, headers: Record<string, string>, body = '') {
  const [method, path] = target.split(' ')
  const { hostname, port } = new URL(service.url)
  const sent = request({ hostname, port, method, path, agent: false, headers }).end(body)
  const [response] = await once(sent, 'response')
  return { status: response.statusCode as number, body: await text(response) }
}

const product = '/api/public/v1/product'
const webhooks = `${product}/webhooks`
const json = { 'content-type': 'application/json' }
const registered = JSON.stringify(registration())

test.each([
  ['127.0.0.1', true],
  ['127.0.0.2:3000', true],
  ['LOCALHOST:8080', true],
  ['[::1]:3000', true],
  ['host.docker.internal:3000', true],
  ['10.0.2.2:3000', true],
  ['rebinding.example', false],
  ['127.0.0.1.rebinding.example:3000', false],
  ['localhost@rebinding.example', false],
  ['192.0.2.1:3000', false],
])('D128: npm start answers Host %j: %s', async (host, isAnswered) => {
  const registers = await send(`POST ${product}`, { ...json, host }, registered)
  expect(registers.status).toBe(isAnswered ? 200 : 403)
  expect((await send('GET /nowhere', { host })).status).toBe(isAnswered ? 404 : 403)
  if (!isAnswered) expect(JSON.parse(registers.body).message).toContain('Host: localhost')
})

const asks = { 'access-control-request-method': 'POST' }

test('D128: a page with a foreign Host is refused before its preflight', async () => {
  const headers = { ...asks, host: 'rebinding.example', origin: 'http://rebinding.example' }
  expect((await send(`OPTIONS ${webhooks}`, headers)).status).toBe(403)
})

test.each([
  ['http://127.0.0.1:5173', 401],
  ['https://localhost', 401],
  ['http://[::1]:3000', 401],
  ['http://host.docker.internal:3000', 401],
  ['http://10.0.2.2:3000', 403],
  ['https://game.example', 403],
  ['http://localhost.game.example', 403],
  ['http://127.0.0.1:3000.game.example', 403],
  ['null', 403],
  ['', 403],
])('D128: of Origin %j, each operation of webhooks of npm start is %i', async (origin, status) => {
  const host = new URL(service.url).host
  for (const target of [
    ...[`POST ${webhooks}`, `GET ${webhooks}`, `PATCH ${webhooks}/wh_1`, `DELETE ${webhooks}/wh_1`],
    ...['rotate', 'test', 'replay'].map((name) => `POST ${webhooks}/wh_1/${name}`),
  ]) {
    const answer = await send(target, { host, origin })
    expect([target, answer.status]).toEqual([target, status])
  }
  // Any page can call the other operations (D6), as it can those of a deployment.
  expect((await send(`POST ${product}`, { ...json, host, origin }, registered)).status).toBe(200)
  expect((await send(`OPTIONS ${webhooks}`, { ...asks, host, origin })).status).toBe(204)
})

test('D128: without an Origin, as servers and curl call it, a webhook is made and tested', async () => {
  const headers = { ...json, 'x-api-key': await service.newProduct() }
  const made = await send(`POST ${webhooks}`, headers, '{"url":"http://127.0.0.1:9/"}')
  const { webhookId } = JSON.parse(made.body).data
  const tested = await send(`POST ${webhooks}/${webhookId}/test`, headers)
  expect(JSON.parse(tested.body).data).toMatchObject({ failure: 'connection_failed' })
})
