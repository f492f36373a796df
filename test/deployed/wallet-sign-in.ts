import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { sampleSmartAccounts } from '@player-nfts/local/samples/sample-smart-accounts'
import { routes } from '../../functions/operations.ts'
import { grantTypes } from '../../lib/contract/oauth.ts'
import type { Route } from '../../lib/contract/route.ts'
import { setIndexerKey } from '../../scripts/deploy-local/complete-deployment.ts'
import type { Place } from '../../scripts/deploy-local/place.ts'
import { serviceAt } from '../support/services/service.ts'
import { newAccount } from '../support/sign-in/account.ts'
import { gameDomain, signInCalls } from '../support/sign-in/sign-in-calls.ts'
import type { Deployment } from './deployment.ts'
import type { Tally } from './tally.ts'

/** A deployment in which players sign in with their wallets. */
export interface WalletSignIn {
  place: Place
  deploy(name: string, changes: object): Promise<Deployment>
}

/** The host of the page. The distribution of an emulator has another one, which nothing depends on. */
const page = 'play.studio.example'

const [, deviceGrantType] = grantTypes

/** Players sign in with their wallets through the distribution (D113), beside users of a login, and the setting goes off again. */
export async function checkWalletSignIn(
  { place, deploy }: WalletSignIn,
  tally: Tally,
): Promise<void> {
  const on = { walletSignIn: { page }, userIds: 'assigned', dashboard: false }
  const deployment = await deploy('sign-in with wallets', on)
  await setIndexerKey(place, deployment)
  const service = serviceAt({ ...deployment.target, url: deployment.edgeUrl })
  const stack = { aws: place.aws, resources: { tableName: deployment.outputs.TableName } }
  const calls = signInCalls({ ...service, stack })
  const { call } = service
  const { productId, apiKey } = await calls.newGame()
  const account = newAccount()
  const readPlayer = (playerToken: string) => call('GET /player/details', { playerToken })

  let refreshToken = ''
  await tally.check('D113: A player signs in to a game with a wallet', async () => {
    const proof = await calls.sign(account, { productId, domain: gameDomain })
    const signedIn = await calls.signIn({ ...proof, productId })
    assert.equal(signedIn.status, 200, signedIn.text)
    assert.equal((await calls.signIn({ ...proof, productId })).json.code, 'message_already_used')
    const tokens = await calls.refresh(productId, signedIn.json.data.refreshToken)
    assert.equal(tokens.status, 200, tokens.text)
    refreshToken = tokens.json.refresh_token
    const { json } = await readPlayer(tokens.json.access_token)
    assert.equal(json.data.userId, signedIn.json.data.user.userId)
    const nfts = { apiKey, playerToken: tokens.json.access_token }
    assert.equal((await call('GET /player/tokens', nfts)).status, 200)
  })
  await tally.check('D113: A player approves a device on the page, and signs out', async () => {
    const form = { client_id: productId }
    const grant = (await call('POST /device/authorization', { form })).json
    assert.equal(grant.verification_uri, `https://${page}/connect`)
    const { json: metadata } = await call('GET /.well-known/oauth-authorization-server')
    assert.equal(metadata.token_endpoint, `https://${page}/api/public/v1/token`)
    const { session } = await calls.enter(account)
    const path = { userCode: grant.user_code }
    const asked = (await call('GET /device/{userCode}', { path, session })).json.data
    assert.equal(asked.isSameNetwork, true)
    const decided = { path, body: { approve: true }, session }
    assert.equal((await call('POST /device/{userCode}', decided)).status, 200)
    const tokens = await calls.askForToken({
      ...{ grant_type: deviceGrantType, client_id: productId, device_code: grant.device_code },
    })
    assert.equal(tokens.status, 200, tokens.text)
    const playerToken = tokens.json.access_token
    assert.equal((await readPlayer(playerToken)).status, 200)
    // A token is signed in an earlier second than the sign-out.
    await sleep(1_000)
    assert.equal((await call('POST /login/sign-out', { session })).status, 200)
    assert.equal((await readPlayer(playerToken)).status, 401)
    assert.equal((await call('GET /login/user', { session })).status, 401)
    assert.equal((await calls.refresh(productId, refreshToken)).json.error, 'invalid_grant')
  })
  await tally.check('D158: A smart account signs in on its chain alone', async () => {
    const account = sampleSmartAccounts.deployed
    const signInOn = async (chain: string) =>
      await calls.signIn(await calls.sign(account, { chain }))
    const { text, json } = await signInOn('POLYGON')
    const [wallet] = json.data?.user.wallets ?? []
    assert.deepEqual([wallet?.address, wallet?.chain], [account.address, 'POLYGON'], text)
    assert.equal((await signInOn('BSC')).json.code, 'no_account_on_chain')
  })
  await tally.check('D114: The distribution serves the page, and its scripts', async () => {
    const { status, body, policy } = await pageAt(`${deployment.edgeUrl}/connect`)
    assert.deepEqual([status, policy?.includes("script-src 'self'")], [200, true])
    const files = Array.from(body.matchAll(/(?:src|href)="(\/[^"]+)"/g), ([, path]) => path)
    assert.ok(files.length >= 3, body)
    for (const path of files) {
      assert.equal((await pageAt(`${deployment.edgeUrl}${path}`)).status, 200, path)
    }
  })

  const { playerToken } = await service.newPlayer([])
  await deploy('no sign-in with wallets', { userIds: 'assigned' })
  await tally.check('D113: Without the setting nothing of it is there', async () => {
    for (const { method, paths, needs } of Object.values<Route>(routes)) {
      if (needs !== 'walletSignIn') continue
      const [path] = paths
      const url = `${deployment.target.url}${path.replaceAll(/\{\w+\}/g, 'x')}`
      assert.equal((await fetch(url, { method })).status, 404, `${method} ${path}`)
    }
    assert.equal((await readPlayer(playerToken)).status, 200)
  })
}

async function pageAt(url: string) {
  const response = await fetch(url)
  const policy = response.headers.get('content-security-policy')
  return { status: response.status, body: await response.text(), policy }
}
