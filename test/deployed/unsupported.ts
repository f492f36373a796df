import { readFile, writeFile } from 'node:fs/promises'

/**
 * The resource types of the template that MiniStack does not have, with the tests that assert them on the template.
 * They are taken out of the template before its deployment to the emulator.
 */
export const unsupportedTypes: Readonly<Record<string, string>> = {
  'AWS::CloudWatch::CompositeAlarm': 'test/infra/monitoring/alarms.test.ts',
  'AWS::CodeDeploy::Application': 'test/infra/deployment/traffic-shifting.test.ts',
  'AWS::CodeDeploy::DeploymentGroup': 'test/infra/deployment/traffic-shifting.test.ts',
  'AWS::Logs::QueryDefinition': 'test/infra/monitoring/saved-queries.test.ts',
}

/**
 * MiniStack does not know the condition key `aws:PrincipalArn`, so that a denial to everybody but one role (D70) would
 * be a denial to this role too. test/infra/keys/signing-keys.test.ts asserts it on the template.
 */
const unsupportedCondition = 'aws:PrincipalArn'

interface Statement {
  Condition?: Record<string, Record<string, unknown>>
}

interface Resource {
  Type: string
  Properties?: { KeyPolicy?: { Statement: Statement[] } }
  DependsOn?: string | string[]
  UpdatePolicy?: { CodeDeployLambdaAliasUpdate?: unknown }
}

interface Template {
  Resources: Record<string, Resource>
}

/**
 * Takes the resources of these types out of a template, the dependencies on them, and the statements of key policies
 * with a condition that MiniStack does not know. Throws if another resource
 * refers to one of them, because the emulator would then not have what the deployment needs.
 */
export function withoutUnsupported(template: Template): Template {
  const entries = Object.entries(template.Resources)
  const isTaken = (id: string) => {
    const type = template.Resources[id]?.Type
    return type !== undefined && Object.hasOwn(unsupportedTypes, type)
  }
  const kept = entries
    .filter(([id]) => !isTaken(id))
    .map(([id, { DependsOn, UpdatePolicy: _, ...resource }]) => {
      withoutDenials(resource)
      // The only update policy of the template is that of CodeDeploy.
      const dependencies = [DependsOn ?? []].flat().filter((each) => !isTaken(each))
      return [id, { ...resource, ...(dependencies.length > 0 && { DependsOn: dependencies }) }]
    })
  const result = { ...template, Resources: Object.fromEntries(kept) }
  const text = JSON.stringify(result)
  for (const [id] of entries.filter(([id]) => isTaken(id))) {
    if (text.includes(`"${id}"`)) throw new Error(`${id} is not in the emulator, and is needed`)
  }
  return result
}

function withoutDenials({ Properties }: Pick<Resource, 'Properties'>): void {
  const policy = Properties?.KeyPolicy
  if (!policy) return
  policy.Statement = policy.Statement.filter(({ Condition = {} }) =>
    Object.values(Condition).every((keys) => !Object.hasOwn(keys, unsupportedCondition)),
  )
}

/** Changes a template file for MiniStack: takes out what it does not have, and lets sweeps begin at once. */
export async function adaptToMinistack(templateFile: string): Promise<void> {
  await shortenSweepDelay(templateFile)
  const template: Template = JSON.parse(await readFile(templateFile, 'utf8'))
  const kept = withoutUnsupported(template)
  await writeFile(templateFile, JSON.stringify(kept, null, 1))
  const taken = Object.keys(template.Resources).length - Object.keys(kept.Resources).length
  if (taken > 0) console.log(`Taken out of the template, because MiniStack lacks them: ${taken}`)
}

/**
 * Lets a sweep begin after a second. A deployment waits for longer than a function can run (D19), and refuses a shorter
 * time. No function of a test runs for that long, and a test that waits for a sweep would take half a minute.
 */
async function shortenSweepDelay(templateFile: string): Promise<void> {
  const template = await readFile(templateFile, 'utf8')
  const delay = /"SWEEP_DELAY_SECONDS": "\d+"/g
  await writeFile(templateFile, template.replaceAll(delay, '"SWEEP_DELAY_SECONDS": "1"'))
}
