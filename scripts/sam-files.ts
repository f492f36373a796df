import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { App } from 'aws-cdk-lib'
import recommendedFlags from 'aws-cdk-lib/recommended-feature-flags.json' with { type: 'json' }
import { bundleAllFunctions, bundleFunctions, everyFeature } from '../infra/bundle/bundle.ts'
import { checksName } from '../infra/deployment/deployment-checks.ts'
import {
  type Json,
  mergedTemplate,
  type Resource,
  readTemplates,
} from '../infra/deployment/stack-templates.ts'
import { ServiceStack } from '../infra/service-stack.ts'
import { deploymentSettings } from '../infra/settings/settings.ts'
import type { Setting } from '../lib/settings/setting.ts'
import { functionSettings } from '../lib/settings/setting-table.ts'

/**
 * Writes the template of the stage `local` and the environment variables of its functions into a folder, for
 * `sam local start-api`. The template has only what that command uses, also from the nested stacks, and declares each variable that
 * a function needs, because SAM ignores values of variables that the template does not declare.
 */
export async function writeSamFiles(outDir: string, variables: Record<string, string>) {
  await rm(outDir, { recursive: true, force: true })
  const functionsDir = join(outDir, 'functions')
  const checks = join(import.meta.dirname, `../infra/custom-resources/${checksName}/handler.ts`)
  await bundleAllFunctions(functionsDir, everyFeature)
  await bundleFunctions({ entryPoints: [checks], outDir: functionsDir, needsWholeSdk: true })
  const assembly = join(outDir, 'cdk.out')
  const app = new App({
    outdir: assembly,
    // The CDK CLI sets it. With it, the template contains the paths of the bundles, which SAM reads.
    context: { ...recommendedFlags, 'aws:cdk:enable-asset-metadata': true },
    analyticsReporting: false,
  })
  const settings = deploymentSettings(settingsOf(variables))
  const stack = new ServiceStack(app, { settings, functionsDir })
  const { directory } = app.synth()
  const { Resources } = mergedTemplate(readTemplates(directory, stack.stackName))
  // The template refers to the bundles by paths relative to its folder.
  const template = join(assembly, 'sam.template.json')
  const env = join(outDir, 'env.json')
  await writeFile(template, JSON.stringify({ Resources: samResources(Resources) }, null, 2))
  await writeFile(env, JSON.stringify({ Parameters: variables }, null, 2), { mode: 0o600 })
  return { template, env }
}

/**
 * The settings of a deployment whose functions declare these variables. Defaults stay unset, because a deployment
 * rejects some settings without others, for example the algorithms of a key set without its URL.
 */
function settingsOf(variables: Record<string, string>): Record<string, unknown> {
  const settings: Record<string, unknown> = { stage: 'local' }
  for (const [name, row] of Object.entries<Setting>(functionSettings)) {
    const { inDeployment, form } = row
    const text = variables[name]
    if (text === undefined || inDeployment === undefined || text === `${row.default}`) continue
    if (form.type === 'array') settings[inDeployment] = text.split(',')
    else settings[inDeployment] = form.type === 'number' ? Number(text) : text
  }
  const page = variables['SIGN_IN_PAGE']
  return {
    ...settings,
    ...(page && { walletSignIn: { page } }),
    // Webhooks need a followed chain.
    ...(settings['followedChains'] !== undefined && { webhooks: {} }),
  }
}

const samTypes = [
  'AWS::Lambda::Function',
  'AWS::ApiGatewayV2::Api',
  'AWS::ApiGatewayV2::Integration',
  'AWS::ApiGatewayV2::Route',
  'AWS::ApiGatewayV2::Stage',
]

/**
 * The functions and the API, without references to other resources, which SAM replaces by their logical ids, and without
 * throttles, which SAM does not have and whose condition is not in its template.
 */
function samResources(resources: Record<string, Resource>): Record<string, Json> {
  const kept = Object.entries(resources).filter(
    ([id, { Type }]) => samTypes.includes(Type) && !id.startsWith('DeploymentChecks'),
  )
  return Object.fromEntries(
    kept.map(([id, { Type, Properties, Metadata }]: [string, Json]) => {
      const { AccessLogSettings: _, LoggingConfig: __, CredentialsArn: ___, ...others } = Properties
      const { DefaultRouteSettings: ____, RouteSettings: _____, ...rest } = others
      if (rest.IntegrationUri) rest.IntegrationUri = aliased(resources, rest.IntegrationUri)
      if (Type !== 'AWS::Lambda::Function') return [id, { Type, Properties: rest }]
      const Role = 'arn:aws:iam::123456789012:role/local'
      const Variables = Object.fromEntries(
        Object.entries(rest.Environment.Variables).map(([name, value]) => [
          name,
          typeof value === 'string' ? value : 'see the env file',
        ]),
      )
      return [id, { Type, Metadata, Properties: { ...rest, Role, Environment: { Variables } } }]
    }),
  )
}

/** The ARN of the function of an alias, because SAM knows neither aliases nor versions. */
const aliased = (resources: Record<string, Resource>, { Ref: aliasId }: Json): Json => ({
  'Fn::GetAtt': [resources[aliasId]?.Properties.FunctionName.Ref, 'Arn'],
})
