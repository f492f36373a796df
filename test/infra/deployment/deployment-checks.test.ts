import { describe, expect, test } from 'vitest'
import { checksName } from '../../../infra/deployment/deployment-checks.ts'
import { domain, edge, prodSettings } from '../../support/prod-settings.ts'
import { rolePermissions } from '../../support/role-permissions.ts'
import {
  checksOf,
  type Json,
  type ServiceTemplate,
  serviceTemplate,
} from '../../support/service-template.ts'

const logGroupPrefix = '/games/nfts'
const prod = serviceTemplate(prodSettings)
const needy = serviceTemplate({ ...prodSettings, domain, edge, logGroupPrefix })
const modest = serviceTemplate({ ...prodSettings, reservedConcurrency: 'none' })

/** The questions that the checks may ask AWS about the account, and not about a key. */
const questionsOf = (template: ServiceTemplate) =>
  rolePermissions(template, checksName).filter((each) => /^(acm|lambda|logs:Desc)/.test(each))

describe('D81: what a deployment needs of its account', () => {
  test('is checked before there is a table, which deletion protection would keep, and after the keys', () => {
    const [[checks] = []] = prod.all('Custom::DeploymentChecks')
    expect(prod.only('AWS::DynamoDB::Table')).toMatchObject({ DependsOn: [checks] })
    const keys = prod.all('AWS::KMS::Key').map(([id]) => ({ 'Fn::GetAtt': [id, 'Arn'] }))
    expect(checksOf(prod).Keys.flatMap(({ Accepted }: Json) => Accepted)).toEqual(keys)
    expect(keys).toHaveLength(2)
  })

  test('is the sum of what the functions of the template reserve', () => {
    const reserved = prod
      .all('AWS::Lambda::Function')
      .map(([, { Properties }]) => Properties.ReservedConcurrentExecutions ?? 0)
    const sum = reserved.reduce((sum, each) => sum + each, 0)
    expect(sum).toBeGreaterThan(100)
    expect(checksOf(prod).Needs).toEqual({
      ReservedConcurrency: `${sum}`,
      Certificates: [],
      AccessLog: '',
    })
    expect(questionsOf(prod)).toEqual(['lambda:GetAccountSettings on *'])
  })

  test('are the certificates of both domains, and an access log of its own place', () => {
    expect(checksOf(needy).Needs).toMatchObject({
      Certificates: [
        { Setting: 'domain', Arn: domain.certificateArn, Domain: domain.name },
        { Setting: 'edge.domain', Arn: edge.domain.certificateArn, Domain: edge.domain.name },
      ],
      AccessLog: `${logGroupPrefix}/http-api`,
    })
    expect(questionsOf(needy)).toEqual([
      `acm:DescribeCertificate on ${domain.certificateArn}`,
      `acm:DescribeCertificate on ${edge.domain.certificateArn}`,
      'lambda:GetAccountSettings on *',
      'logs:DescribeResourcePolicies on *',
    ])
    const names = needy.all('AWS::Logs::LogGroup').map(([, each]) => each.Properties.LogGroupName)
    expect(names).toContain(checksOf(needy).Needs.AccessLog)
  })

  test('is nothing, and nothing is asked, without reservations', () => {
    expect(checksOf(modest).Needs.ReservedConcurrency).toBe('0')
    expect(questionsOf(modest)).toEqual([])
  })

  test.each(['/aws/vendedlogs', '/aws/vendedlogs/nfts'])(
    'is no place for an access log under %s',
    (prefix) => {
      const shared = serviceTemplate({ ...prodSettings, logGroupPrefix: prefix })
      expect(checksOf(shared).Needs.AccessLog).toBe('')
      expect(questionsOf(shared)).toEqual(['lambda:GetAccountSettings on *'])
    },
  )
})
