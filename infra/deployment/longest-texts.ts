import type { Json, Template } from './stack-templates.ts'

/** A template without nested stacks, or one in which they are merged. */
type Resources = Pick<Template, 'Resources'>

/**
 * The longest values of references in variables, in bytes, in the partition `aws`: longer ones would refuse valid
 * settings.
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

/** The text of a variable, with as many characters as it can have where CloudFormation completes it. */
export function longestText({ Resources }: Resources, value: Json): string {
  const text = completed(value, (id = '') => {
    const { Type = '', Properties } = Resources[id] ?? {}
    const keys: readonly Json[] | undefined = Properties?.PublicKeysOf
    return '-'.repeat(keys ? keys.length * publicKeyBytes : (longest[Type] ?? longestOfOthers))
  })
  return String(text).replaceAll(/\{\{resolve:[^}]*\}\}/g, '-'.repeat(longestSecret))
}

/**
 * A value with text in place of its objects. A reference to a resource or to one of its attributes gives the logical id
 * of the resource, any other object none. An object without a text stays, and its members are completed.
 */
function completed(value: Json, textOf: (id: string | undefined) => string | undefined): Json {
  if (typeof value !== 'object' || value === null) return value
  const { 'Fn::Join': joined, 'Fn::GetAtt': attribute, Ref: ref } = value
  if (joined) {
    const [separator, parts] = joined
    return parts.map((part: Json) => completed(part, textOf)).join(separator)
  }
  const text = textOf(ref ?? attribute?.[0])
  if (text !== undefined) return text
  if (Array.isArray(value)) return value.map((each) => completed(each, textOf))
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, completed(each, textOf)]),
  )
}

/** The longest values of what CloudFormation knows of the place of a stack. */
const longestPlace: Readonly<Record<string, string>> = {
  'AWS::Partition': 'aws-us-gov',
  'AWS::Region': 'ap-southeast-1',
  'AWS::AccountId': '123456789012',
  'AWS::URLSuffix': 'amazonaws.com.cn',
}

/** The longest ARN of a service, without the name of the resource. */
const arnIn = (service: string) => `arn:aws-us-gov:${service}:ap-southeast-1:123456789012:`.length

/** The longest ARNs, in characters, by the types of resources, or else of any resource. */
const longestArns: Readonly<Record<string, number>> = {
  'AWS::DynamoDB::Table': arnIn('dynamodb') + 'table/'.length + 64,
  'AWS::KMS::Key': arnIn('kms') + 'key/'.length + 36,
  'AWS::SecretsManager::Secret': arnIn('secretsmanager') + 'secret:'.length + 64,
  'AWS::SQS::Queue': arnIn('sqs') + 80,
  'AWS::SNS::Topic': arnIn('sns') + 80,
  'AWS::S3::Bucket': 'arn:aws-us-gov:s3:::'.length + 63,
  'AWS::Logs::LogGroup': arnIn('logs') + 'log-group::*'.length + 128,
}
const longestOtherArn = 160

/** A policy as it is at most, in the longest Region and partition: with text in place of what CloudFormation completes. */
export const longestPolicy = (template: Resources, policy: Json): Json =>
  completed(policy, (id) => id && (longestPlace[id] ?? longestArn(template, id)))

/** The name of a function follows from its settings, and that of an alias from its function. */
function longestArn(template: Resources, id: string): string {
  const { Type = '', Properties = {} } = template.Resources[id] ?? {}
  if (Type === 'AWS::Lambda::Alias') {
    return `${longestArn(template, Properties.FunctionName.Ref)}:${Properties.Name}`
  }
  return Type === 'AWS::Lambda::Function'
    ? `${'-'.repeat(arnIn('lambda'))}function:${Properties.FunctionName}`
    : '-'.repeat(longestArns[Type] ?? longestOtherArn)
}
