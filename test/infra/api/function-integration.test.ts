import { expect, test } from 'vitest'
import { prodSettings } from '../../support/prod-settings.ts'
import { type ServiceTemplate, serviceTemplate } from '../../support/service-template.ts'

/** What happens to the role with which API Gateway invokes functions, when it leaves the stack and when it is replaced. */
function policiesOf({ all }: ServiceTemplate) {
  const [, role] = all('AWS::IAM::Role').find(([id]) => id.startsWith('HttpApiInvocation')) ?? []
  return [role?.DeletionPolicy, role?.UpdateReplacePolicy]
}

test('D83: the role of API Gateway remains on every way back, also that of the update that creates it', () => {
  // Not RetainExceptOnCreate, which deletes the role when this update is turned back.
  expect(policiesOf(serviceTemplate(prodSettings))).toEqual(['Retain', 'Retain'])
  expect(policiesOf(serviceTemplate())).toEqual([undefined, undefined])
})
