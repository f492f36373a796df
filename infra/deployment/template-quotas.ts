import type { VariableName } from '../../lib/settings/setting-table.ts'
import { nameInDeployment } from '../settings/setting-rules.ts'

// Quotas that AWS raises for nobody: https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html and
// https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html
const variableBytes = 4_096
const dynamicReferences = 60

// biome-ignore lint/suspicious/noExplicitAny: templates are any JSON
type Json = any

/** What this reads of a template. */
interface Template {
  readonly Resources: Readonly<
    Record<string, { readonly Type: string; readonly Properties?: Json }>
  >
}

/**
 * A sentence without a full stop for each quota that the deployment of a template would exceed, beside those that the CDK
 * knows. What CloudFormation knows only during a deployment counts with its longest text.
 */
export function quotaFaults(template: Template): string[] {
  const references = JSON.stringify(template).split('{{resolve:').length - 1
  return [
    ...variableFaults(template),
    ...(references > dynamicReferences
      ? [
          `the stack has ${references} references to secrets, and CloudFormation accepts ${dynamicReferences}`,
        ]
      : []),
  ]
}

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
      textOf(template, value),
    ]),
  )
  return { variables, bytes: Buffer.byteLength(JSON.stringify(variables)) }
}

/**
 * The longest values of references in environment variables, in bytes, by type, or else of any resource. Those of the
 * partition `aws`: a longer one would refuse settings that can be deployed there.
 */
const longest: Readonly<Record<string, number>> = {
  /** The name of the stack, 31 at most, an id, and what CloudFormation adds. */
  'AWS::DynamoDB::Table': 64,
  /** arn:aws:kms:ap-southeast-1:123456789012:key/, and a UUID. */
  'AWS::KMS::Key': 80,
  /** arn:aws:secretsmanager:ap-southeast-1:123456789012:secret:, an id, and what is added to it. */
  'AWS::SecretsManager::Secret': 104,
}
const longestOfOthers = 134

/** The base64 of the DER SubjectPublicKeyInfo of a P-256 key, and a comma. */
const publicKeyBytes = 124 + 1

const longestSecret = 64

/** The text of a value, with as many characters as it can have where CloudFormation completes it. */
function textOf(template: Template, value: Json): string {
  const text = completed(template, value)
  return text.replaceAll(/\{\{resolve:[^}]*\}\}/g, '-'.repeat(longestSecret))
}

function completed(template: Template, value: Json): string {
  if (typeof value !== 'object') return `${value}`
  const { 'Fn::Join': joined, 'Fn::GetAtt': attribute, Ref: ref } = value
  if (joined) {
    const [separator, parts] = joined
    return parts.map((part: Json) => completed(template, part)).join(separator)
  }
  const { Type = '', Properties } = template.Resources[ref ?? attribute?.[0]] ?? {}
  const keys: readonly Json[] | undefined = Properties?.PublicKeysOf
  return '-'.repeat(keys ? keys.length * publicKeyBytes : (longest[Type] ?? longestOfOthers))
}
