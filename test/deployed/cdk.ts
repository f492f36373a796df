import { copyFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Ministack } from './ministack.ts'
import { runCommand } from './run-command.ts'
import { expectNoCircleIn } from './templates.ts'
import { takeOutUnsupported } from './unsupported.ts'

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
  /** The template with what the emulator does not have. */
  fullTemplateFile: string
}

/** The CDK CLI with the emulator as its AWS account. */
export interface Cdk {
  bootstrap(): Promise<void>
  /** Synthesizes the stack with the settings into a folder with the name. Rejects if its references form a circle. */
  synth(name: string, settings: object): Promise<Version>
  deploy(version: Version): Promise<Outputs>
  destroy(version: Version): Promise<void>
}

export const devStackName = 'PlayerNfts-dev'

const root = join(import.meta.dirname, '../..')

/** The CDK CLI of the project. It never prompts, calls only the emulator, and writes its files under `dir`. */
export function cdkFor(
  { account, aws, environment }: Ministack,
  dir: string,
  stackName = devStackName,
): Cdk {
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
      seconds: 180,
    })
  return {
    async bootstrap() {
      // In a folder without cdk.json, because the bootstrap does not need the stack.
      await run(dir, 'bootstrap', `aws://${account}/${aws.region}`)
    },
    async synth(name, settings) {
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
      const templateFile = join(assembly, `${stackName}.template.json`)
      await shortenSweepDelay(templateFile)
      const fullTemplateFile = join(assembly, 'full-template.json')
      await copyFile(templateFile, fullTemplateFile)
      await expectNoCircleIn(fullTemplateFile)
      const taken = await takeOutUnsupported(templateFile)
      if (taken > 0)
        console.log(`Taken out of the template, because MiniStack lacks them: ${taken}`)
      return { assembly, templateFile, fullTemplateFile }
    },
    async deploy({ assembly }) {
      const outputsFile = join(assembly, 'outputs.json')
      const options = ['--require-approval', 'never', '--outputs-file', outputsFile]
      await run(dir, 'deploy', '--app', assembly, ...options)
      return JSON.parse(await readFile(outputsFile, 'utf8'))[stackName]
    },
    async destroy({ assembly }) {
      await run(dir, 'destroy', '--app', assembly, '--force')
    },
  }
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
