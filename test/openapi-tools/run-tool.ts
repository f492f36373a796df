import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** The file that users read: docs/openapi.json. */
export const documentFile = fileURLToPath(new URL('../../docs/openapi.json', import.meta.url))

const packages = fileURLToPath(new URL('packages/node_modules/', import.meta.url))

/** The scripts of the tools, in the folder of their packages. */
export const tools = {
  redocly: '@redocly/cli/bin/cli.js',
  openapiTypescript: 'openapi-typescript/bin/cli.js',
  typescript: 'typescript/bin/tsc',
} as const

/** The folder that a program needs as `node_modules` to import the packages. */
export const packagesFolder = packages

export interface ToolResult {
  exitCode: number
  stdout: string
  stderr: string
}

/** Runs a tool in `cwd`, without network access for its own purposes. */
export const runTool = (
  tool: keyof typeof tools,
  args: readonly string[],
  cwd: string,
): Promise<ToolResult> => runNode([packages + tools[tool], ...args], cwd)

/** Runs a Node program in `cwd`. Rejects if it does not end within a minute. */
export function runNode(
  args: readonly string[],
  cwd: string,
  variables: Record<string, string> = {},
): Promise<ToolResult> {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const options = { cwd, env: { ...env, ...variables }, timeout: 60_000, maxBuffer: 16 * 1_048_576 }
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, options, (error, stdout, stderr) => {
      if (error?.killed) reject(new Error(`${args[0]} did not end: ${stderr}`))
      else resolve({ exitCode: error ? Number(error.code) : 0, stdout, stderr })
    })
  })
}
