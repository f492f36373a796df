import { describe, expect, test } from 'vitest'
import { routes } from '../../functions/operations.ts'
import { countsOf, policySizes, quotaFaults } from '../../infra/deployment/template-quotas.ts'
import { base, type Route } from '../../lib/contract/route.ts'
import { everything } from '../support/prod-settings.ts'
import { stackBudgets } from '../support/resource-budgets.ts'
import { type ServiceTemplate, serviceApp, templateOf } from '../support/service-template.ts'

const longest = { ...everything, stage: 'stage-with-long-name', protection: 'prod' }

const kinds: readonly Route[] = [
  routes.getProduct,
  routes.createPlayerToken,
  routes.getPlayerDetails,
  routes.getNfts,
]

/** Operations that do not exist, each with a path of its own. */
const madeUp = (count: number, needs: Pick<Route, 'needs'>): Route[] =>
  Array.from({ length: count }, (_, index) => {
    const kind = kinds[index % kinds.length] as Route
    const id = `madeUp${kind.id}${index}`
    return { ...kind, ...needs, id, paths: [`${base}/${id}`] }
  })

const today = templateOf(serviceApp(longest))
const withMore = (count: number, needs: Pick<Route, 'needs'>) =>
  templateOf(serviceApp(longest, { moreOperations: madeUp(count, needs) }))

const resourcesOf = ({ stacks }: ServiceTemplate): Record<string, number> =>
  Object.fromEntries(
    Object.entries(stacks).map(([name, template]) => [name, countsOf(template).resources]),
  )

const places = [
  ['the root', 'root', {}],
  ['the nested stack of sign-in', 'WalletSignIn', { needs: 'walletSignIn' }],
  ['the nested stack of webhooks', 'Webhooks', { needs: 'webhooks' }],
] as const

describe('D147: with everything on', () => {
  test('parameters and outputs have room', () => {
    for (const template of Object.values(today.stacks)) {
      const { parameters, outputs } = countsOf(template)
      expect(Math.max(parameters, outputs)).toBeLessThanOrEqual(stackBudgets.parameters)
    }
  })

  test('policies have room, in the longest Region and partition', () => {
    const sizes = policySizes({ Resources: today.resources })
    expect(sizes.filter(({ id }) => id.includes('InvocationRole'))).toHaveLength(3)
    for (const { id, characters, quota } of sizes) {
      expect(characters, id).toBeLessThanOrEqual(stackBudgets.policyShare * quota)
    }
    const others = ['AWS::IAM::Policy', 'AWS::IAM::ManagedPolicy']
    expect(others.flatMap((type) => today.all(type))).toEqual([])
  })
})

describe.each(places)('D147: twenty more operations in %s', (_, stack, needs) => {
  const full = withMore(20, needs)

  test('take six resources each, and a seventh if updates shift their traffic', () => {
    const [before = 0, after = 0] = [today, full].map((each) => resourcesOf(each)[stack])
    expect(after - before).toBeGreaterThanOrEqual(20 * 6)
    expect(after - before).toBeLessThanOrEqual(20 * 7)
    const { [stack]: __, Monitoring: ___, ...others } = resourcesOf(full)
    expect(resourcesOf(today)).toMatchObject(others)
  })

  test('leave every stack and every policy within its quota', () => {
    expect(quotaFaults(full.templates)).toEqual([])
    expect(Math.max(...Object.values(resourcesOf(full)))).toBeLessThanOrEqual(
      stackBudgets.withTwentyMore,
    )
    for (const template of Object.values(full.stacks)) {
      const { parameters, outputs } = countsOf(template)
      expect(Math.max(parameters, outputs)).toBeLessThanOrEqual(stackBudgets.parameters)
    }
  })
})

test('D147: what does not fit is a sentence for each quota', () => {
  const tooLong = (role: string) =>
    expect.stringMatching(
      new RegExp(
        `^the policy of ${role}\\w+ would take 1\\d{4} characters, and AWS accepts 10240$`,
      ),
    )
  expect(quotaFaults(withMore(70, {}).templates)).toEqual([
    tooLong('HttpApiInvocationRole'),
    tooLong('TrafficShiftingRole'),
    expect.stringMatching(/^the stack has [67]\d\d resources, and CloudFormation accepts 500$/),
  ])
})
