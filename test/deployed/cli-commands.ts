import assert from 'node:assert/strict'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Version } from '../../scripts/deploy-local/cdk.ts'
import { runCommand } from '../../scripts/deploy-local/run-command.ts'

const docs = join(import.meta.dirname, '../../docs')

/** The AWS CLI has the commands of the documentation and of the notifications, with their options. */
export async function checkCliCommands(
  python: string,
  { assembly, fullTemplateFile }: Version,
): Promise<void> {
  const notifications = await notificationsOf(fullTemplateFile)
  assert.ok(notifications.some((text) => text.includes('aws logs ')))
  const notificationPage = join(assembly, 'notifications.md')
  await writeFile(notificationPage, notifications.map(inCodeBlock).join('\n'))
  const names = (await readdir(docs)).filter((name) => name.endsWith('.md'))
  const pages = [...names.map((name) => join(docs, name)), notificationPage]
  const output = await runCommand({
    name: 'cli-commands.py',
    file: python,
    args: [join(import.meta.dirname, 'cli-commands.py'), ...pages],
    env: {},
    seconds: 60,
  })
  const lines = output.trim().split('\n')
  const [count = ''] = lines.splice(-1)
  assert.deepEqual(lines, [])
  // Otherwise the commands were not found.
  assert.ok(Number.parseInt(count, 10) >= 30, count)
}

/** What the alarms of a template, and its rules of EventBridge, send. */
async function notificationsOf(templateFile: string): Promise<string[]> {
  const { Resources } = JSON.parse(await readFile(templateFile, 'utf8')) as {
    Resources: Record<string, { Properties?: Notifying }>
  }
  return Object.values(Resources).flatMap(({ Properties }) => {
    const inputs = Properties?.Targets?.map(({ Input = '{}' }) => JSON.parse(Input)) ?? []
    return [Properties?.AlarmDescription, ...inputs].filter((text) => typeof text === 'string')
  })
}

interface Notifying {
  AlarmDescription?: string
  Targets?: readonly { Input?: string }[]
}

const inCodeBlock = (text: string) => `\`\`\`text\n${text}\n\`\`\``
