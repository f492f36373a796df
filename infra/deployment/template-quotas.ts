import type { VariableName } from '../../lib/settings/setting-table.ts'
import { nameInDeployment } from '../settings/setting-rules.ts'
import { longestPolicy, longestText } from './longest-texts.ts'
import {
  type Json,
  mergedTemplate,
  nestedName,
  type StackTemplates,
  type Template,
} from './stack-templates.ts'

// Quotas that AWS raises for nobody: https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html and
// https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html
const variableBytes = 4_096
const templateQuotas = {
  resources: 500,
  parameters: 200,
  outputs: 200,
  'references to secrets': 60,
  bytes: 1_000_000,
}

/** The most characters of a policy, without the spaces that only people need, by the types of resources that have one. */
const policyQuotas: Readonly<Record<string, number>> = {
  /** Of all inline policies of a role together. */
  'AWS::IAM::Role': 10_240,
  'AWS::KMS::Key': 32_768,
  'AWS::SQS::QueuePolicy': 8_192,
  'AWS::SNS::TopicPolicy': 30_720,
  'AWS::S3::BucketPolicy': 20_480,
}

/** A sentence without a full stop for each exceeded quota, with the longest text of each reference. */
export function quotaFaults(templates: StackTemplates): string[] {
  const merged = mergedTemplate(templates)
  return [
    ...variableFaults(merged),
    ...policySizes(merged)
      .filter(({ characters, quota }) => characters > quota)
      .map(
        ({ id, characters, quota }) =>
          `the policy of ${id} would take ${characters} characters, and AWS accepts ${quota}`,
      ),
    ...countFaults('the stack', templates.root),
    ...Object.entries(templates.nested).flatMap(([id, template]) =>
      countFaults(`the nested stack ${nestedName(id)}`, template),
    ),
  ]
}

/** How much of what CloudFormation limits a template has. */
export const countsOf = (template: Template): Readonly<Record<Counted, number>> => ({
  resources: Object.keys(template.Resources).length,
  parameters: Object.keys(template.Parameters ?? {}).length,
  outputs: Object.keys(template.Outputs ?? {}).length,
  'references to secrets': JSON.stringify(template).split('{{resolve:').length - 1,
  // As the CDK writes the file.
  bytes: Buffer.byteLength(JSON.stringify(template, null, 1)),
})

type Counted = keyof typeof templateQuotas

function countFaults(stack: string, template: Template): string[] {
  const counts = countsOf(template)
  return Object.entries(templateQuotas).flatMap(([what, quota]) => {
    const count = counts[what as Counted]
    return count > quota
      ? [`${stack} has ${count} ${what}, and CloudFormation accepts ${quota}`]
      : []
  })
}

/** The most characters of all policies of a template, by the logical id of their resource, and how many AWS accepts. */
export const policySizes = (template: Pick<Template, 'Resources'>) =>
  Object.entries(template.Resources).flatMap(([id, { Type, Properties }]) => {
    const quota = policyQuotas[Type]
    if (quota === undefined) return []
    const { Policies = [], KeyPolicy, PolicyDocument } = Properties
    const documents = [
      KeyPolicy,
      PolicyDocument,
      ...Policies.map((each: Json) => each.PolicyDocument),
    ]
    const sizes = documents
      .filter((each) => each !== undefined)
      .map((each) => JSON.stringify(longestPolicy(template, each)).length)
    return [{ id, characters: sizes.reduce((sum, size) => sum + size, 0), quota }]
  })

/** The fault of the function with the largest environment, which names the setting that takes most of it. */
function variableFaults(template: Template): string[] {
  const [largest] = Object.values(template.Resources)
    .filter(({ Type }) => Type === 'AWS::Lambda::Function')
    .map(({ Properties }) => ({
      name: Properties.FunctionName,
      ...environmentOf(template, Properties),
    }))
    .toSorted((a, b) => b.bytes - a.bytes)
  if (!largest || largest.bytes <= variableBytes) return []
  const { name, bytes, variables } = largest
  const [[variable, value] = ['', '']] = Object.entries(variables).toSorted(
    ([, a], [, b]) => b.length - a.length,
  )
  const setting = nameInDeployment(variable as VariableName)
  const how =
    variable === 'LOGINS'
      ? ` by ${bytes - variableBytes} bytes, for example with jwksUrl in place of publicKeys`
      : ''
  return [
    `${setting} must be shorter${how}: with ${setting}, which takes ${Buffer.byteLength(value)} bytes, the variables of the function ${name} take ${bytes}, and Lambda accepts ${variableBytes}`,
  ]
}

/** The variables of a function, and their size as Lambda measures it: as JSON. */
function environmentOf(template: Template, { Environment }: Json) {
  const variables = Object.fromEntries(
    Object.entries(Environment?.Variables ?? {}).map(([name, value]) => [
      name,
      longestText(template, value),
    ]),
  )
  return { variables, bytes: Buffer.byteLength(JSON.stringify(variables)) }
}
