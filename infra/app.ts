// The CDK app that `cdk synth` and `cdk deploy` run. `-c settings=<file>` names a JSON file with the settings
// of the deployment. Without it, the app deploys the stage dev with its defaults.

import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Annotations, App, Validations } from 'aws-cdk-lib'
import recommendedFlags from 'aws-cdk-lib/recommended-feature-flags.json' with { type: 'json' }
import { AwsSolutionsChecks } from 'cdk-nag'
import { bundleAllFunctions, bundleFunctions } from './bundle/bundle.ts'
import { writeDashboardFiles } from './dashboard/dashboard-files.ts'
import { uploadName } from './dashboard/dashboard-site.ts'
import { checksName } from './deployment/deployment-checks.ts'
import { readTemplates } from './deployment/stack-templates.ts'
import { quotaFaults } from './deployment/template-quotas.ts'
import { ServiceStack } from './service-stack.ts'
import { settingsFileIn, targetOf } from './settings/deployment-target.ts'
import { hasPages } from './settings/feature-rules.ts'
import { InvalidDeploymentSettings } from './settings/settings.ts'
import { notesOn, readDeploymentSettings } from './settings/settings-file.ts'

const functionsDir = join(import.meta.dirname, '../.build/functions')

try {
  // The CDK would end with a stack trace.
  const context = { ...recommendedFlags, '@aws-cdk/core:stackResourceLimit': 0 }
  const app = new App({ context, analyticsReporting: false })
  const settings = readDeploymentSettings(settingsFileIn(app.node.getAllContext()))
  const target = targetOf(settings, process.env)
  const handlerOf = (name: string) =>
    join(import.meta.dirname, 'custom-resources', name, 'handler.ts')
  // An earlier version may have left files of other names.
  await rm(functionsDir, { recursive: true, force: true })
  await bundleAllFunctions(functionsDir, settings)
  const names = hasPages(settings) ? [checksName, uploadName] : [checksName]
  await bundleFunctions({
    entryPoints: names.map(handlerOf),
    outDir: functionsDir,
    needsWholeSdk: true,
  })
  if (hasPages(settings)) await writeDashboardFiles(settings, functionsDir)
  const stack = new ServiceStack(app, { settings, functionsDir, env: target })
  for (const note of notesOn(settings)) Annotations.of(stack).addWarningV2('player-nfts', note)
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app))
  const faults = quotaFaults(readTemplates(app.synth().directory, stack.stackName))
  if (faults.length > 0) {
    throw new InvalidDeploymentSettings(
      ['The settings cannot be deployed:', ...faults].join('\n- '),
    )
  }
} catch (error) {
  if (!(error instanceof InvalidDeploymentSettings)) throw error
  console.error(error.message)
  process.exitCode = 1
}
