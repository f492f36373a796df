import { execFileSync } from 'node:child_process'
import { hasCommand } from './command.ts'

const packages = [
  'mono-mcs',
  'mono-runtime',
  'libmono-system-net-http4.0-cil',
  'libmono-system-web-extensions4.0-cil',
]

/** Installs Mono from Debian's packages, if this machine has apt and lets this user install. */
export function setup(): void {
  if (hasCommand('mcs') && hasCommand('mono')) return
  if (!hasCommand('apt-get')) return
  const isRoot = process.getuid?.() === 0
  const apt = (...args: string[]) => {
    const [command = '', ...rest] = [...(isRoot ? [] : ['sudo', '-n']), 'apt-get', '-q', ...args]
    execFileSync(command, rest, { stdio: ['ignore', 'ignore', 'inherit'] })
  }
  try {
    apt('update')
    apt('install', '-y', '--no-install-recommends', ...packages)
  } catch (error) {
    console.error(`Mono cannot be installed: ${(error as Error).message}`)
  }
}
