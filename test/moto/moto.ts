import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { PythonProgram } from '../deployed/python-environment.ts'

/** moto, a mock of AWS. */
export const motoProgram: PythonProgram = {
  name: 'moto',
  folder: '.venv-moto',
  requirementsFile: join(import.meta.dirname, 'requirements.txt'),
  modules: 'moto.server',
}

/** Starts moto on a free port of 127.0.0.1. It keeps everything in memory. */
export async function startMoto(python: string): Promise<{ url: string; close(): Promise<void> }> {
  const child = spawn(python, [join(import.meta.dirname, 'moto-server.py')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const noPort = ended.then(() => Promise.reject(new Error('moto does not start')))
  const [port] = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    noPort,
  ])
  noPort.catch(() => undefined)
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      child.stdin.end()
      await ended
    },
  }
}
