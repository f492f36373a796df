import { isDeepStrictEqual } from 'node:util'
import { uploadName } from '../../../infra/dashboard/dashboard-site.ts'
import { checksName } from '../../../infra/deployment/deployment-checks.ts'
import type { Json, ServiceTemplate } from '../service-template.ts'

/** The attributes of a template's resources in CloudFormation, by their logical ids without the hash. */
export type Deployed = Record<string, Partial<Record<Attribute, string>>>

type Attribute = 'Ref' | 'Arn' | 'SecretString' | typeof publicKeys

const publicKeys = 'PlayerTokenPublicKeys'

export type GrantedFunction = ReturnType<typeof grantedFunctions>[string]

/**
 * The functions of a template by the names of their files, in a deployment with these resources. Throws
 * for a reference to another resource, and for a policy that does more than allow actions on a resource.
 */
export function grantedFunctions({ resources, all }: ServiceTemplate, deployed: Deployed) {
  const functionOf = ({ Role, Environment, Timeout }: Json) => {
    const variables = Object.entries<Json>(Environment?.Variables ?? {})
    const isText = ([, value]: [string, Json]) =>
      typeof value === 'string' ||
      secretIn(value) !== undefined ||
      referred(value)[1] === publicKeys
    return {
      /**
       * The permissions of its role except writing its log, sorted: `dynamodb:GetItem on Table`, and for items whose
       * partition key is like a pattern, `dynamodb:PutItem on Table for PRODUCT#*`.
       */
      permissions: permissionsOf(
        resources[Role['Fn::GetAtt'][0]]?.Properties,
        (arn) => nameOf(resolved(arn, deployed), deployed),
        (action) => !action.startsWith('logs:'),
      ),
      environment: Object.fromEntries(
        variables.map(([name, value]) => [name, resolved(value, deployed)]),
      ),
      /** The resources in its environment variables, sorted. */
      resources: variables
        .filter((variable) => !isText(variable))
        .map(([, value]) => referred(value)[0])
        .sort(),
      /** Its other variables, sorted: also texts of secrets and public keys, which the deployment reads for the function. */
      settings: variables
        .filter(isText)
        .map(([name]) => name)
        .sort(),
      timeoutSeconds: Timeout as number,
    }
  }
  // The functions of a deployment serve no request.
  const serviceFunctions = all('AWS::Lambda::Function').filter(
    ([, { Properties }]) =>
      ![checksName, uploadName].some((name) => Properties.FunctionName.endsWith(name)),
  )
  return Object.fromEntries<ReturnType<typeof functionOf>>(
    serviceFunctions.map(([, { Properties }]) => [
      Properties.FunctionName.replace(/^PlayerNfts-[a-z]+-/, ''),
      functionOf(Properties),
    ]),
  )
}

/**
 * The permissions of a role for these actions, sorted: `dynamodb:GetItem on Table`, or with a pattern of partition keys. Throws for
 * a policy that does more than allow actions on a resource.
 */
export function permissionsOf(
  { Policies, ManagedPolicyArns }: Json,
  nameOf: (arn: Json) => string,
  isMeant: (action: string) => boolean = () => true,
): string[] {
  const statements = Policies.flatMap(({ PolicyDocument }: Json) => PolicyDocument.Statement)
  const permissions = statements.flatMap(
    ({ Effect, Action, Resource, Condition, ...more }: Json) => {
      const patterns = patternsOf(Condition)
      if (Effect !== 'Allow' || Object.keys(more).length > 0 || ManagedPolicyArns) {
        throw new Error('a role has more than plain leaves of its own')
      }
      const actions = [Action].flat().filter(isMeant)
      return actions.flatMap((action) =>
        [Resource].flat().flatMap((arn) => {
          const permission = `${action} on ${nameOf(arn)}`
          return patterns?.map((pattern) => `${permission} for ${pattern}`) ?? [permission]
        }),
      )
    },
  )
  return [...new Set<string>(permissions)].sort()
}

/** The patterns of partition keys in a condition. Throws for any other condition. */
function patternsOf(condition: Json | undefined): string[] | undefined {
  if (condition === undefined) return undefined
  const { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': patterns = [] } = {} } = condition
  const only = { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': patterns } }
  if (!isDeepStrictEqual(condition, only) || patterns.length === 0) {
    throw new Error('a condition is not about partition keys')
  }
  return [patterns].flat()
}

/** The permissions that allow a call for all of these partition keys. All keys match the same pattern. */
export function allowing(
  granted: readonly string[],
  permission: string,
  leadingKeys: readonly string[],
): string[] {
  return granted.filter((each) => {
    const [action, pattern] = each.split(' for ')
    if (action !== permission) return false
    return pattern === undefined || leadingKeys.every((key) => isLike(key, pattern))
  })
}

/** The operator StringLike of IAM. */
function isLike(text: string, pattern: string): boolean {
  const literal = pattern.replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
  const expression = literal.replaceAll('*', '.*').replaceAll('?', '.')
  return new RegExp(`^${expression}$`, 's').test(text)
}

const nameOf = (arn: string, deployed: Deployed): string =>
  Object.keys(deployed).find((name) => deployed[name]?.Arn === arn) ?? arn

/** The value after CloudFormation has resolved its reference to a resource. */
function resolved(value: Json, deployed: Deployed): string {
  if (typeof value === 'string') return value
  const secret = secretIn(value)
  const [name, attribute] = secret ? ([idOf(secret), 'SecretString'] as const) : referred(value)
  const found = deployed[name]?.[attribute]
  if (found === undefined) throw new Error(`not deployed: ${JSON.stringify(value)}`)
  return found
}

/** The resource that a value refers to, and the attribute. */
function referred(value: Json): [name: string, attribute: Attribute] {
  const [logicalId, attribute] = value['Fn::GetAtt'] ?? [value.Ref, 'Ref']
  return [idOf(logicalId), attribute]
}

const idOf = (logicalId: string): string => logicalId.slice(0, -8)

/** The logical id of the secret whose text a value is, by a dynamic reference. */
function secretIn(value: Json): string | undefined {
  const [start, secret] = value['Fn::Join']?.[1] ?? []
  return start === '{{resolve:secretsmanager:' ? secret.Ref : undefined
}
