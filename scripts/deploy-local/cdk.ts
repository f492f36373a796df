import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  mergedTemplate,
  nestedName,
  nestedTemplateFiles,
  readTemplates,
} from '../../infra/deployment/stack-templates.ts'
import type { Place } from './place.ts'
import { runCommand } from './run-command.ts'
import { adaptToMinistack } from './unsupported.ts'

/** The outputs of the stack. */
export interface Outputs {
  ApiUrl: string
  EdgeUrl: string
  TableName: string
  QueueUrl: string
  DeadLetterQueueUrl: string
  PlayerTokenKeyArn: string
  UserJwtKeyArn: string
  IndexerSecretArn: string
  PlayerDigestSecretArn: string
}

/** A synthesized version of the stack. */
export interface Version {
  /** The folder of the cloud assembly. */
  assembly: string
  templateFile: string
  /** The files of the templates of its nested stacks, by their names. */
  nestedTemplateFiles: Readonly<Record<string, string>>
  /** One template with the resources of all of them, before the changes for an emulator. */
  fullTemplateFile: string
}

/** The CDK CLI with a place as its AWS account. */
export type Cdk = ReturnType<typeof cdkFor>

export const devStackName = 'PlayerNfts-dev'

const root = join(import.meta.dirname, '../..')

/** What differs between an emulator, the default, and an account. */
export interface CdkOptions {
  /** Changes the templates of an assembly before their deployment. */
  adaptTemplates?(assembly: string, stackName: string): Promise<void>
  seconds?: number
}

/**
 * Deploys versions of one stack to a place with the CDK CLI, which never prompts, calls only the place, and writes its
 * own files under `dir`. Every method rejects with its output if it fails.
 */
export function cdkFor(
  { account, aws, environment }: Place,
  dir: string,
  stackName = devStackName,
  { adaptTemplates = adaptToMinistack, seconds = 180 }: CdkOptions = {},
) {
  const env = {
    ...environment,
    // The CLI caches account information in this folder, by access key.
    CDK_HOME: join(dir, 'cdk-home'),
    CDK_DISABLE_CLI_TELEMETRY: 'true',
    CI: 'true',
  }
  const program = join(root, 'node_modules/aws-cdk/bin/cdk')
  const run = (cwd: string, ...args: [command: string, ...options: string[]]) =>
    runCommand({
      name: `cdk ${args[0]}`,
      file: process.execPath,
      args: [program, ...args, '--no-notices'],
      cwd,
      env,
      seconds,
    })
  return {
    async bootstrap() {
      // In a folder without cdk.json, because the bootstrap does not need the stack.
      await run(dir, 'bootstrap', `aws://${account}/${aws.region}`)
    },
    /** Synthesizes the stack with the settings into a folder with the name. */
    async synth(name: string, settings: object): Promise<Version> {
      const assembly = join(dir, name)
      const synthesized = join(dir, 'synthesized', name)
      await mkdir(synthesized, { recursive: true })
      const settingsFile = join(dir, `${name}.json`)
      await writeFile(settingsFile, JSON.stringify(settings, null, 2))
      const options = ['--context', `settings=${settingsFile}`, '--output', synthesized]
      await run(root, 'synth', '--quiet', ...options)
      // The workflow deploys an assembly on another machine too, so nothing in it may name its first folder.
      await rm(assembly, { recursive: true, force: true })
      await rename(synthesized, assembly)
      const fullTemplateFile = join(assembly, 'full-template.json')
      const templates = readTemplates(assembly, stackName)
      await writeFile(fullTemplateFile, JSON.stringify(mergedTemplate(templates)))
      await adaptTemplates(assembly, stackName)
      const nested = Object.entries(nestedTemplateFiles(assembly, stackName))
      return {
        assembly,
        templateFile: join(assembly, `${stackName}.template.json`),
        nestedTemplateFiles: Object.fromEntries(nested.map(([id, file]) => [nestedName(id), file])),
        fullTemplateFile,
      }
    },
    async deploy<Given = Outputs>({ assembly }: Pick<Version, 'assembly'>): Promise<Given> {
      const outputsFile = join(assembly, 'outputs.json')
      const options = ['--require-approval', 'never', '--outputs-file', outputsFile]
      await run(dir, 'deploy', '--app', assembly, ...options)
      return JSON.parse(await readFile(outputsFile, 'utf8'))[stackName]
    },
    async destroy({ assembly }: Version) {
      await run(dir, 'destroy', '--app', assembly, '--force')
    },
  }
}
