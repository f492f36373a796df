import { expect } from 'vitest'
import type { Json, ServiceTemplate } from './service-template.ts'
import { permissionsOf } from './services/granted-functions.ts'

/** The name of the resource that an ARN in a policy refers to. */
function nameOf(arn: Json): string {
  if (typeof arn === 'string') return arn
  const [bucket, rest] = arn['Fn::Join']?.[1] ?? []
  if (rest === '/*') return `files of ${nameOf(bucket)}`
  const id: string = arn['Fn::GetAtt']?.[0] ?? arn.Ref
  return id.replace(/[0-9A-F]{8}$/, '')
}

/**
 * The permissions of a function's role, as `action on resource`, or as `action on resource for pattern` where the
 * partition keys of the items must be like a pattern.
 */
export function rolePermissions(
  { all, resources }: ServiceTemplate,
  functionName: string,
): string[] {
  const [, found] =
    all('AWS::Lambda::Function').find(
      ([, { Properties }]) => Properties.FunctionName === `PlayerNfts-prod-${functionName}`,
    ) ?? []
  const role = resources[found?.Properties.Role['Fn::GetAtt'][0]]?.Properties
  expect(role.Policies).toHaveLength(1)
  return permissionsOf(role, nameOf)
}
