import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { App } from 'aws-cdk-lib'
import { Template as CdkTemplate } from 'aws-cdk-lib/assertions'
import recommendedFlags from 'aws-cdk-lib/recommended-feature-flags.json' with { type: 'json' }
import { bundleFile, everyFeature, functionNames } from '../../infra/bundle/bundle.ts'
import { uploadName } from '../../infra/dashboard/dashboard-site.ts'
import { checksName } from '../../infra/deployment/deployment-checks.ts'
import {
  type Json,
  mergedTemplate,
  nestedName,
  type Resource,
  readTemplates,
  type Template,
} from '../../infra/deployment/stack-templates.ts'
import { ServiceStack } from '../../infra/service-stack.ts'
import { deploymentSettings } from '../../infra/settings/settings.ts'
import { functionName, type Route } from '../../lib/contract/route.ts'
import { newFolder } from './command-fixture.ts'
import { atFileEnd } from './vitest/at-file-end.ts'

export type { Json, Resource } from '../../infra/deployment/stack-templates.ts'

/**
 * The template of a deployment: its resources as if it had no nested stacks, with logical ids that begin with the name of their
 * nested stack.
 */
export type ServiceTemplate = ReturnType<typeof templateOf>

interface AppOptions {
  /** Operations beside those of functions/operations.ts. */
  moreOperations?: readonly Route[]
  builtinCloudFormationValidation?: boolean
}

/** An app with the stack of these settings. Its folder is removed at the end of the test file. */
export function serviceApp(
  settings: Record<string, unknown> = {},
  options: AppOptions = {},
): { app: App; stack: ServiceStack; functionsDir: string } {
  return appIn(newFolder(atFileEnd), settings, options)
}

/** An app that writes its assembly into a folder, with the stack of these settings. */
export function appIn(
  dir: string,
  settings: Record<string, unknown>,
  { moreOperations = [], builtinCloudFormationValidation = false }: AppOptions = {},
): ReturnType<typeof serviceApp> {
  const functionsDir = join(dir, 'functions')
  const ofOperations = moreOperations.map(({ id }) => functionName(id))
  const names = [...functionNames(everyFeature), ...ofOperations, checksName, uploadName]
  for (const name of names) {
    writeStandIn(bundleFile(functionsDir, name))
  }
  const app = new App({
    outdir: dir,
    context: { ...recommendedFlags, '@aws-cdk/core:stackResourceLimit': 0 },
    analyticsReporting: false,
    // Both take half of the time, and are not in a template.
    stackTraces: false,
    treeMetadata: false,
    builtinCloudFormationValidation,
  })
  const props = { settings: deploymentSettings(settings), functionsDir, moreOperations }
  const stack = new ServiceStack(app, props)
  return { app, stack, functionsDir }
}

/** A template does not depend on the code of its functions, and reading their bundles takes long. */
function writeStandIn(file: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `// ${basename(dirname(file))}`)
  writeFileSync(`${file}.map`, '{}')
}

const templates = new Map<string, ServiceTemplate>()

/** The template of these settings, read-only: tests share it, because a synthesis takes a second. */
export function serviceTemplate(settings: Record<string, unknown> = {}): ServiceTemplate {
  const key = JSON.stringify(settings)
  const template = templates.get(key) ?? templateOf(serviceApp(settings))
  templates.set(key, template)
  return template
}

/**
 * The template of these settings, which the CDK compares with the schemas and rules of CloudFormation. Throws if
 * there is an error. The first validation of a process takes 6 s of CPU time, so only one test file uses it.
 */
export function validTemplate(settings: Record<string, unknown>): ServiceTemplate {
  const template = templateOf(serviceApp(settings, { builtinCloudFormationValidation: true }))
  templates.set(JSON.stringify(settings), template)
  return template
}

/**
 * Throws an error that names the resources of a circle of references in a template, if it has any. CloudFormation
 * refuses such a template, also if the circle goes through an attribute beside the properties, for example
 * `UpdatePolicy`.
 */
function expectNoCircle({ Resources }: Template): void {
  // The CDK looks for references only in the properties.
  const resources = Object.entries(Resources).map(([id, resource]) => [
    id,
    { ...resource, Properties: resource },
  ])
  CdkTemplate.fromJSON({ Resources: Object.fromEntries(resources) })
}

/** The template of an app and its stack. Throws if the references in it, or in a nested stack, form a circle. */
export function templateOf({ app, stack }: Pick<ReturnType<typeof serviceApp>, 'app' | 'stack'>) {
  const templates = readTemplates(app.synth().directory, stack.stackName)
  const nested = Object.entries(templates.nested).map(([id, each]) => [nestedName(id), each])
  const stacks: Record<string, Template> = { root: templates.root, ...Object.fromEntries(nested) }
  for (const each of Object.values(stacks)) expectNoCircle(each)
  const { Resources: resources, Outputs, Conditions } = mergedTemplate(templates)
  /** All resources of a type, such as `AWS::SQS::Queue`. */
  const all = (type: string): [logicalId: string, resource: Resource][] =>
    Object.entries(resources).filter(([, resource]) => resource.Type === type)
  return {
    resources,
    outputs: Outputs ?? {},
    conditions: Conditions ?? {},
    /** The templates of the stack and of its nested stacks as they are. */
    templates,
    /** The same by the names of the nested stacks, with `root` for the stack itself. */
    stacks,
    all,
    /** The properties of all resources of a type. */
    propertiesOf: (type: string): Json[] => all(type).map(([, { Properties }]) => Properties),
    /** The one resource of a type. */
    only(type: string): Resource {
      const [[, resource] = [], ...more] = all(type)
      if (!resource || more.length > 0) throw new Error(`${more.length} more than one ${type}`)
      return resource
    },
  }
}

/**
 * The name of the function whose alias `live` a property names, as the ARN of the alias or as `<function>:live`. Throws
 * if it names anything else.
 */
export function aliasedFunction({ resources }: ServiceTemplate, value: Json): string {
  const [, aliasId = ''] = /"Ref":"(\w+)"/.exec(JSON.stringify(value)) ?? []
  const { Type, Properties } = resources[aliasId] ?? {}
  const found = resources[Properties?.FunctionName.Ref]?.Properties.FunctionName
  if (Type === 'AWS::Lambda::Alias' && Properties.Name === 'live' && found) return found
  throw new Error(`not an alias of a function: ${JSON.stringify(value)}`)
}

/** The resources as text without what names their stage, to compare stages. */
export const withoutStage = ({ resources }: ServiceTemplate, stage: string): string =>
  JSON.stringify(resources)
    .replaceAll(new RegExp(`\\b${stage}\\b`, 'g'), '<stage>')
    // The identifier of the deployment, and the names of versions, follow from everything else.
    .replaceAll(/(?<=, deployment )[0-9a-f]{12}|(?<=CurrentVersion[0-9A-F]{8})[0-9a-f]{32}/g, '')

/** The environment variables of the function whose name ends with `name`. */
export const environmentOf = ({ propertiesOf }: ServiceTemplate, name: string): Json =>
  propertiesOf('AWS::Lambda::Function').find(({ FunctionName }) => FunctionName.endsWith(name))
    ?.Environment?.Variables

/** The properties of the custom resource that checks a deployment. */
export const checksOf = ({ only }: ServiceTemplate): Json =>
  only('Custom::DeploymentChecks').Properties

/** The role of the function that checks a deployment. */
export const checksRole = ({ all }: ServiceTemplate): Json =>
  all('AWS::IAM::Role').find(([id]) => id.startsWith('DeploymentChecks'))?.[1].Properties

/** The properties of the resource of a type that belongs to webhooks. */
export const ofWebhooks = ({ all }: ServiceTemplate, type: string): Json =>
  all(type).find(([id]) => id.startsWith('Webhook'))?.[1].Properties

/** The names of the functions of a template of production. */
export const functionsOf = (template: ServiceTemplate): string[] =>
  template
    .propertiesOf('AWS::Lambda::Function')
    .map(({ FunctionName }) => FunctionName.replace('PlayerNfts-prod-', ''))

/** The names of those with an environment variable, sorted. */
export const functionsWith = (template: ServiceTemplate, variable: string): string[] =>
  functionsOf(template)
    .filter((name) => environmentOf(template, `-${name}`)?.[variable] !== undefined)
    .toSorted()

/** A value of a template as it is in a Region: `Fn::If` is decided, for conditions on the Region. */
export function inRegion({ conditions }: ServiceTemplate, region: string, value: Json): Json {
  const holds = (condition: Json): boolean => {
    if (condition['Fn::Or']) return condition['Fn::Or'].some(holds)
    const [one, other] = condition['Fn::Equals'].map((side: Json) =>
      side.Ref === 'AWS::Region' ? region : side,
    )
    return one === other
  }
  const decide = (part: Json): Json => {
    if (typeof part !== 'object' || part === null) return part
    if (Array.isArray(part)) return part.map(decide)
    if (part['Fn::If']) {
      const [condition, whenTrue, whenFalse] = part['Fn::If']
      return decide(holds(conditions[condition]) ? whenTrue : whenFalse)
    }
    return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, decide(inner)]))
  }
  return decide(value)
}
