import { dirname, join } from 'node:path'
import { nestedTemplateFiles } from '../../infra/deployment/stack-templates.ts'
import { runCommand } from '../../scripts/deploy-local/run-command.ts'
import { appIn, templateOf } from '../support/service-template.ts'
import { variants } from '../support/variants.ts'

/** The rules of cfn-lint whose findings are no faults, each with the reason. */
const ignoredRules: Readonly<Record<string, string>> = {
  W3005: 'The CDK also writes dependencies that a reference implies.',
  I3010: 'test/infra/quotas.test.ts counts the resources.',
  I1022: 'The CDK writes Fn::Join, which means the same as Fn::Sub.',
}

/** cfn-lint has no findings of any level. Rejects with all findings, each with its file and line. */
export async function lintTemplates(python: string, ...templates: string[]): Promise<void> {
  const ignored = ['--ignore-checks', ...Object.keys(ignoredRules)]
  await runCommand({
    name: 'cfn-lint',
    file: join(dirname(python), 'cfn-lint'),
    args: [...ignored, '--include-checks', 'I', '--', ...templates],
    seconds: 600,
  })
}

/** Synthesizes each variant of settings into a folder, with stand-ins for the code, and returns the template files. */
export const writeVariants = (dir: string): string[] =>
  Object.values(variants).flatMap((settings, index) => {
    const folder = join(dir, `variant-${index}`)
    const made = appIn(folder, settings)
    templateOf(made)
    const { stackName } = made.stack
    const nested = Object.values(nestedTemplateFiles(folder, stackName))
    return [join(folder, `${stackName}.template.json`), ...nested]
  })
