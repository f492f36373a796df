import { beforeEach, describe, expect, test } from 'vitest'
import { stackForm } from '../../../../infra/custom-resources/deployment-checks/checked-properties.ts'
import { startTestAws } from '../../../support/aws/test-aws.ts'
import { create, one, stackIn, two, update, version } from '../../../support/check-requests.ts'
import { prodSettings } from '../../../support/prod-settings.ts'
import { checksOf, serviceTemplate } from '../../../support/service-template.ts'

const { interfere, resources } = await startTestAws()
const success = { Status: 'SUCCESS', Reason: '' }

beforeEach(() => interfere(stackIn('UPDATE_IN_PROGRESS')))

const form = { Form: stackForm }
const reason =
  'The stack was made by a version that divided it into nested stacks differently, or not at all, and cannot be updated to this one: deploy a commit of before, or remove the stack and make it again with its data (docs/changes.md#making-a-removed-stack-again).'

describe('D147: an update of a stack of another form', () => {
  test.each([
    ['of an earlier version, without nested stacks', {}],
    ['with other nested stacks', { Form: 'others' }],
  ])('%s is refused in one sentence, whatever else it changes', async (_, before) => {
    const dropping = version({ playerTokens: [two] }, form)
    const refused = await update(version({ playerTokens: [one] }, before), dropping)
    expect(refused).toMatchObject({
      ...{ Status: 'FAILED', Reason: reason, PhysicalResourceId: 'before' },
    })
  })

  test('is turned back without being refused again', async () => {
    const earlier = version()
    const { PhysicalResourceId } = await update(version(), earlier)
    expect(await update(version({}, form), earlier, PhysicalResourceId)).toMatchObject(success)
  })

  test('is no update of a stack of this form, and no first deployment', async () => {
    expect(await update(version({}, form), version({}, form))).toMatchObject(success)
    const { Keys } = version({ playerTokens: [resources.playerTokenKeyArn] })
    expect(await create(version({}, { ...form, Keys }))).toMatchObject(success)
  })

  test('is known by what the template says', () => {
    expect(checksOf(serviceTemplate(prodSettings)).Form).toBe(stackForm)
  })
})
