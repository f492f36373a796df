import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PythonProgram } from '../../scripts/deploy-local/python-environment.ts'

/** The AWS SAM CLI. */
export const samProgram: PythonProgram = {
  name: 'the AWS SAM CLI',
  folder: '.venv-sam',
  requirementsFile: join(import.meta.dirname, 'requirements.txt'),
  modules: 'samcli.commands.local.lib.local_api_service',
}

const secondsToStart = 60

/** Serves the files of `npm run sam` in a folder with SAM's API service, and with Node in place of its container. */
export async function startSamApi(
  python: string,
  outDir: string,
): Promise<{ url: string; close(): Promise<void> }> {
  const files = [join(outDir, 'cdk.out/sam.template.json'), join(outDir, 'env.json')]
  const args = [join(import.meta.dirname, 'sam-api.py'), ...files, process.execPath]
  const env = { ...process.env, SAM_CLI_TELEMETRY: '0', AWS_DEFAULT_REGION: 'us-east-1' }
  const child = spawn(python, args, { env, stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  const close = async () => {
    child.stdin.end()
    await ended
  }
  const noPort = ended.then(() => Promise.reject(new Error('the API service of SAM has ended')))
  noPort.catch(() => undefined)
  const [port] = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    noPort,
  ])
  const url = `http://127.0.0.1:${port}`
  const until = Date.now() + secondsToStart * 1000
  while (!(await responds(url))) {
    if (Date.now() > until || child.exitCode !== null) {
      await close()
      throw new Error('the API service of SAM does not respond')
    }
    await sleep(200)
  }
  return { url, close }
}

const responds = (url: string): Promise<boolean> =>
  fetch(`${url}/api/public/v1/public-key`).then(
    () => true,
    () => false,
  )
