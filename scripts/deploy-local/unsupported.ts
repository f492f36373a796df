import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type Json,
  nestedTemplateFiles,
  readTemplates,
  type StackTemplates,
  type Template,
} from '../../infra/deployment/stack-templates.ts'

/** The resource types that MiniStack does not have, with the tests that assert them on the template. */
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

/**
 * Takes the resources of these types out of the templates of a stack, the dependencies on them, the parameters of nested stacks
 * that nothing else needs, and the statements of key policies with a condition that MiniStack does not know. Throws if another
 * resource refers to one of them, because the emulator would then not have what the deployment needs.
 */
function withoutUnsupported({ root, nested }: StackTemplates): StackTemplates {
  const kept = mapped(nested, (template) => withNeededParameters(withoutTypes(template)))
  const passing = mapped(root.Resources, (resource, id) => {
    const { Parameters: needed = {} } = kept[id] ?? {}
    const passed = Object.entries(resource.Properties?.Parameters ?? {})
    const Parameters = Object.fromEntries(passed.filter(([name]) => name in needed))
    return kept[id] ? { ...resource, Properties: { ...resource.Properties, Parameters } } : resource
  })
  return { root: withoutTypes({ ...root, Resources: passing }), nested: kept }
}

function withoutTypes(template: Template): Template {
  const entries = Object.entries(template.Resources)
  const isTaken = (id: string) => {
    const type = template.Resources[id]?.Type
    return type !== undefined && Object.hasOwn(unsupportedTypes, type)
  }
  const kept = entries
    .filter(([id]) => !isTaken(id))
    .map(([id, { DependsOn, UpdatePolicy: _, ...resource }]: [string, Json]) => {
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

/** The template of a nested stack, without the parameters to which nothing refers. */
function withNeededParameters({ Parameters = {}, ...template }: Template): Template {
  const text = JSON.stringify(template)
  const needed = Object.entries(Parameters).filter(([name]) => text.includes(`{"Ref":"${name}"}`))
  return { ...template, Parameters: Object.fromEntries(needed) }
}

function withoutDenials({ Properties }: Json): void {
  const policy: { Statement: Statement[] } | undefined = Properties?.KeyPolicy
  if (!policy) return
  policy.Statement = policy.Statement.filter(({ Condition = {} }) =>
    Object.values(Condition).every((keys) => !Object.hasOwn(keys, unsupportedCondition)),
  )
}

const mapped = <Value, Result>(
  record: Readonly<Record<string, Value>>,
  map: (value: Value, name: string) => Result,
): Record<string, Result> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value, name)]))

/** Changes the templates of an assembly for MiniStack: takes out what it does not have, and lets what waits in a deployment begin at once. */
export async function adaptToMinistack(assembly: string, stackName: string): Promise<void> {
  const templates = readTemplates(assembly, stackName)
  const files = nestedTemplateFiles(assembly, stackName)
  const kept = withoutUnsupported(templates)
  await writeTemplate(join(assembly, `${stackName}.template.json`), kept.root)
  for (const [id, template] of Object.entries(kept.nested)) {
    await writeTemplate(files[id] ?? '', template)
  }
  const taken = resourcesIn(templates) - resourcesIn(kept)
  if (taken > 0) console.log(`Taken out of the templates, because MiniStack lacks them: ${taken}`)
}

const resourcesIn = ({ root, nested }: StackTemplates): number =>
  [root, ...Object.values(nested)].reduce(
    (sum, { Resources }) => sum + Object.keys(Resources).length,
    0,
  )

/**
 * Lets a sweep begin after a second. A deployment waits for longer than a function can run (D19), and refuses a shorter
 * time. No function of a test runs for that long, and a test that waits for a sweep would take half a minute. And lets a contract
 * be kept from its first read on: the indexer of the sample world is never ten minutes behind (D153).
 */
const writeTemplate = (file: string, template: Template): Promise<void> =>
  writeFile(
    file,
    JSON.stringify(template, null, 1)
      .replaceAll(/"SWEEP_DELAY_SECONDS": "\d+"/g, '"SWEEP_DELAY_SECONDS": "1"')
      .replaceAll(
        '"FOLLOWED_CHAINS": ',
        '"KEPT_FROM_READS": "1", "OWNERS_LAG_SECONDS": "5", "FOLLOWED_CHAINS": ',
      ),
  )
