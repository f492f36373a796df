import assert from 'node:assert/strict'
import { DynamoDB } from '@aws-sdk/client-dynamodb'
import { KMS } from '@aws-sdk/client-kms'
import { samples } from '@player-nfts/local/samples'
import type { Outputs } from '../../scripts/deploy-local/cdk.ts'
import type { Ministack } from '../../scripts/deploy-local/ministack.ts'
import { clientOf } from '../support/requests/client.ts'
import { type OperatorShell, variables } from './operator-shell.ts'
import { stackLogs } from './stack-logs.ts'
import type { Tally } from './tally.ts'

export const prodStackName = 'PlayerNfts-prod'

/** An operator with a deployment, in the shell with its variables. */
export interface Operating {
  readonly operator: OperatorShell
  readonly outputs: Outputs
  readonly ministack: Pick<Ministack, 'aws'>
  readonly tally: Tally
}

/** A product that the operator has registered. */
interface Registered {
  apiKey: string
  productId: string
}

const { keepers } = samples.collections
const [wallet = ''] = samples.players.oneWallet.wallets

/** docs/first-day.md, from the role of the login on, before there is a deployment. */
export const prepareAccount = async ({ run }: OperatorShell): Promise<void> => {
  assert.equal(await run('first-day', 'export AWS_REGION=eu-central-1\naws'), '1000\n')
  assert.match(await run('first-day', 'aws iam create-role'), /role\/login"/)
}

/** docs/first-day.md#a-first-deploy-that-fails: why it has failed, and the way out. */
export async function readFailure({ run }: OperatorShell, reason: RegExp): Promise<void> {
  assert.equal(await run('first-day', 'aws cloudformation describe-'), '"ROLLBACK_COMPLETE"\n')
  await run(...variables)
  assert.match(await run('runbook', 'failures() {'), reason)
}

/** docs/changes.md#removal: the way to remove a stack that is protected against it. */
export const unprotect = ({ run }: OperatorShell): Promise<string> =>
  run('changes', 'aws cloudformation update-termination-protection')

/** The smoke test of docs/changes.md, with the credentials that the shell has. Returns its last line. */
export const smokeTested = ({ run }: OperatorShell): Promise<string> =>
  run('changes', 'npx cdk diff')

/** docs/first-day.md, from the variables on: a product, and the NFTs of a player. */
export async function followFirstDay({ operator, tally }: Operating): Promise<Registered> {
  const { run } = operator
  await run(...variables)
  await tally.check('docs/first-day.md: the key of the indexer is stored', async () => {
    const typed = () => 'any-key-will-do'
    assert.match(await run('first-day', 'read -rs', { typed }), /^polygon-mainnet, bnb-mainnet$/m)
  })
  await tally.check('The smoke test passes with production settings', async () =>
    assert.match(await smokeTested(operator), /: 7 passed, 0 failed\./),
  )
  const registered: Registered = JSON.parse(await run('first-day', 'ANSWER=')).data
  await tally.check('docs/first-day.md: the NFTs of a player are read', async () => {
    const texts = { '0x…': keepers.address }
    assert.match(await run('first-day', 'curl ', { texts }), /"success":true/)
    const ofPlayer = { texts: { '0x…': wallet } }
    assert.match(await run('pipeline', 'aws configure set', ofPlayer), /^eyJ/)
    const { data } = JSON.parse(await run('first-day', 'USER_JWT=', ofPlayer))
    assert.ok(data.length > 0)
  })
  await tally.check('D69: The smoke test tests the indexer of production', async () => {
    const tested = / 0 failed\. The indexer was tested\. The login was tested\.$/m
    assert.match(await run('first-day', 'export API_KEY'), tested)
  })
  return registered
}

/** The commands of docs/changes.md about a player and a product, and of the runbook about both. */
export async function supportProductsAndPlayers(
  { operator, outputs, ministack, tally }: Operating,
  { apiKey, productId }: Registered,
): Promise<void> {
  const { run } = operator
  const call = clientOf(outputs.ApiUrl)
  const statusOf = async (key: string) => (await call('GET /product', { apiKey: key })).status
  const named = { texts: { '9f1c…': productId, '<productId>': productId } }
  await tally.check('docs/runbook.md: a product is stopped, and started again', async () => {
    const shown = await run('runbook', 'aws dynamodb get-item', named)
    assert.match(shown, /"Gull Harbour Games"/)
    await run('runbook', 'npm run --silent stop-product', named)
    assert.equal(await statusOf(apiKey), 403)
    await run('runbook', 'npm run --silent start-product', named)
    assert.equal(await statusOf(apiKey), 200)
    const texts = { 'product-id …': `product-id ${productId}` }
    const allowed = await run('changes', 'npm run --silent allow-sign-in', { texts })
    assert.match(allowed, /players can sign in from now on/)
  })
  await tally.check('D72: docs/runbook.md: a player is found, and forgotten', async () => {
    const texts = { 'PLAYER_TOKEN=…': '' }
    assert.equal(await run('runbook', 'PLAYER_TOKEN=…', { texts }), '42\n')
    const [digest] = (await run('runbook', 'npm run --silent player-digest')).split('\n')
    const lines = await Array.fromAsync(stackLogs(ministack, prodStackName))
    const ofPlayer = lines.filter(({ player }) => player === digest)
    const outcomes = ofPlayer.map(({ operation, status }) => `${operation} ${status}`)
    assert.ok(outcomes.includes('createPlayerToken 200'), outcomes.join())
    assert.match(await run('runbook', 'npm run --silent forget-player'), / is forgotten\.$/m)
    assert.match(await run('changes', 'npm run --silent forget-player'), /No player 42 was stored/)
  })
  await tally.check('docs/runbook.md: a leaked API key is replaced, and ended', async () => {
    await run('runbook', 'BASE=', { typed: () => apiKey })
    const list = `curl -w '\\n' -s "$BASE/product/keys" -H "X-Api-Key: $API_KEY"`
    const [{ keyId }] = JSON.parse(await run('runbook', `${list}\n`)).data
    await run('runbook', `${list}\n`, { texts: { 'LEAKED=…': `LEAKED=${keyId}` } })
    const typed = (printed: string) => JSON.parse(printed).data.apiKey
    const { apiKey: added } = JSON.parse(await run('runbook', `${list} -H`, { typed })).data
    await run('runbook', `curl -w '\\n' -s -X DELETE`)
    assert.deepEqual([await statusOf(apiKey), await statusOf(added)], [401, 200])
    // The player of this user JWT is forgotten.
    await operator.type(`API_KEY=${added}\nunset USER_JWT`)
  })
}

/** What the pages for operators do beside a deployment: notifications, keys, quotas, backups. */
export async function maintainAccount({
  operator,
  outputs,
  ministack,
  tally,
}: Operating): Promise<void> {
  const { run } = operator
  const client = new KMS(ministack.aws)
  await tally.check('docs/operations.md: a notification is tested', async () => {
    assert.equal(await run('operations', 'aws cloudtrail'), '[]\n')
    await run('operations', 'aws cloudwatch set-alarm-state')
    await run('alarms', 'QUEUE=')
    const { ConcurrentExecutions } = JSON.parse(await run('quotas', 'aws service-quotas'))
    const limit = JSON.parse(await run('alarms', 'aws lambda get-account-settings'))
    assert.deepEqual([ConcurrentExecutions, limit.ConcurrentExecutions], [1_000, 1_000])
    const called = await run('alarms', 'curl ', { texts: { 'https://…': '$API_URL' } })
    assert.match(called, /^HTTP\S+ 200 /)
    assert.match(await run('changes', 'output IndexerNetworks'), /^polygon-mainnet, /)
  })
  await tally.check('docs/operations.md: the policy of a key is put back', async () => {
    const KeyId = outputs.UserJwtKeyArn
    const policy = async () => JSON.parse(`${(await client.getKeyPolicy({ KeyId })).Policy}`)
    const before = await policy()
    await run('operations', 'KEY_ARN=', { texts: { [keyPlaceholder]: KeyId } })
    await run('operations', 'aws kms put-key-policy')
    assert.deepEqual(await policy(), before)
  })
  await tally.check('docs/runbook.md: a key is found, deleted, and taken back', async () => {
    assert.match(await run('runbook', 'for KEY in'), new RegExp(outputs.PlayerTokenKeyArn))
    const key = (await run('changes', 'aws kms create-key')).trim()
    const state = async () => (await client.describeKey({ KeyId: key })).KeyMetadata?.KeyState
    await run('runbook', 'KEY_ARN=', { texts: { [keyPlaceholder]: key } })
    assert.equal(await state(), 'PendingDeletion')
    await run('runbook', 'aws kms cancel-key-deletion')
    assert.equal(await state(), 'Enabled')
    await client.scheduleKeyDeletion({ KeyId: key })
    await operator.type(`KEY=${key}`)
    await run('alarms', 'aws kms cancel-key-deletion --key-id')
    await run('alarms', 'aws kms enable-key')
    assert.equal(await state(), 'Enabled')
    assert.equal(await run('alarms', 'aws kms describe-key'), '"Enabled"\n')
  })
  await tally.check('docs/changes.md: a web ACL, a vault, and a role that restores', async () => {
    assert.match(await run('changes', 'aws wafv2'), /^arn:aws:wafv2:/)
    await run('changes', 'aws backup create-backup-vault')
    assert.deepEqual(JSON.parse(await run('changes', 'aws backup list-copy-jobs')).CopyJobs, [])
    await run('changes', 'aws iam create-role')
    await run('changes', 'aws backup list-recovery-points')
  })
}

const keyPlaceholder = 'arn:aws:kms:eu-central-1:123456789012:key/…'

/** docs/runbook.md#restoring-the-table, as an exercise. `deploy`: deploys the settings of the operator. */
export async function exerciseRecovery(
  { operator, tally }: Operating,
  deploy: () => Promise<unknown>,
) {
  const { run } = operator
  await tally.check('docs/runbook.md: an update is rolled back', async () => {
    await run('runbook', "jq '.maintenance")
    await deploy()
    assert.match(await run('alarms', 'npm run --silent roll-back'), /^[0-9a-f]{12} .* live$/m)
    const rolledBack = await run('runbook', 'npm run --silent roll-back')
    assert.match(rolledBack, /Variables that change: MAINTENANCE$/m)
    assert.match(rolledBack, /All functions run the deployment [0-9a-f]{12}/)
    assert.match(await smokeTested(operator), / 0 failed\./)
    assert.match(await run('changes', 'npm run --silent roll-back'), /Deleted 0 versions/)
  })
  await tally.check('docs/runbook.md: the table is restored, as an exercise', async () => {
    const second = new Date().toISOString().replace(/\.\d+/, '')
    const texts = { '2026-11-21T09:29:59Z': second }
    assert.match(await run('runbook', 'SECOND=', { texts }), /"LatestRestorableDateTime"/)
    await run('runbook', 'RESTORED=')
    await run('runbook', 'aws dynamodb update-continuous-backups')
    const before = await operator.settings()
    await run('runbook', 'jq --arg table')
    const { maintenance: _, ...others } = before as { maintenance: true }
    const restoredTable = 'PlayerNfts-prod-restored'
    assert.deepEqual(await operator.settings(), { ...others, restoredTable })
    await run('runbook', 'aws dynamodb update-table')
  })
}

/** docs/changes.md#making-a-removed-stack-again: what it has kept is found. */
export async function expectRetainedListed(
  { run }: OperatorShell,
  outputs: Outputs,
): Promise<void> {
  const listed = await run('changes', 'for TABLE in')
  assert.match(listed, new RegExp(`^${outputs.TableName}\\tACTIVE\\t`, 'm'))
  assert.match(listed, new RegExp(`:secret:${outputs.IndexerSecretArn}`))
}

/** Removes the stack as one that has never worked, and what it has kept, with the commands that docs/changes.md#removal prints. */
export async function expectRetainedDeleted({
  operator,
  ministack: { aws },
}: Operating): Promise<void> {
  const { run } = operator
  await run('first-day', 'aws cloudformation update-termination-protection')
  const printed = await run('changes', '{ aws resourcegroupstaggingapi')
  await operator.type(printed.replaceAll(/^(?!aws ).*\n/gm, ''))
  assert.deepEqual((await new DynamoDB(aws).listTables()).TableNames, [])
}
