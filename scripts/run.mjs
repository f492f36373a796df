// Runs a script with the project's Node:
//
//   node scripts/run.mjs [--omit=dev] [node option…] <script> [argument…]
//
// First it installs the dependencies, including that Node, if they are not installed; with --omit=dev not those of
// development, in less than half of the time. It passes signals to the script, ends with its exit code or signal, and
// writes nothing to standard output.

import { spawn, spawnSync } from 'node:child_process'
import { constants } from 'node:os'
import { isatty } from 'node:tty'
import { endOf, installDependencies, isAlive, project } from './install.mjs'

/** Sends SIGTERM to this process when npm, which started it, has ended: its shell, or a killed npm, passes on nothing. */
function endWithNpm() {
  if (!process.env.npm_lifecycle_event || process.platform === 'win32') return
  const parent = process.ppid
  const { stdout } = spawnSync('ps', ['-o', 'ppid=,comm=', '-p', `${parent}`], { encoding: 'utf8' })
  // npm is the parent of the shell that it started, unless this process has replaced the shell.
  const [, npm = parent] =
    /(\d+) (?:\S*\/)?-?(?:(?:a|ba|da|k|z)?sh|busybox)$/m.exec(stdout ?? '') ?? []
  const check = setInterval(() => {
    if (process.ppid === parent && isAlive(npm)) return
    clearInterval(check)
    process.kill(process.pid, 'SIGTERM')
  }, 500)
  check.unref()
}

const fail = (message) => {
  console.error(message)
  process.exit(1)
}
const omitDev = process.argv[2] === '--omit=dev'
const args = process.argv.slice(omitDev ? 3 : 2)
if (args.length === 0) fail('Usage: node scripts/run.mjs [--omit=dev] <script> [argument…]')
endWithNpm()
await installDependencies(project.folder, { omitDev }).catch(({ message }) => fail(message))
const child = spawn(project.node, args, { cwd: project.folder, env: project.env, stdio: 'inherit' })
const [code, signal] = await endOf(child, (received) => {
  // In a terminal, Ctrl-C also reaches the child. A second SIGINT could interrupt its shutdown.
  if (received === 'SIGINT' && [0, 1, 2].some((descriptor) => isatty(descriptor))) return
  // On SIGHUP, Node's watch mode ends without its child. SIGTERM ends both.
  child.kill(received === 'SIGHUP' ? 'SIGTERM' : received)
}).catch(({ message }) =>
  fail(`The project's Node does not start (${message}). Delete node_modules and try again.`),
)
if (signal === null) process.exit(code)
process.kill(process.pid, signal)
// The first process of a container ignores the signal.
setTimeout(() => process.exit(128 + constants.signals[signal]), 100)
