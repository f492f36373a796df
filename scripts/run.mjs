#!/usr/bin/env node
// Runs a script with the project's Node:
//
//   node scripts/run.mjs [--omit=dev] [node option…] <script> [argument…]
//
// First it installs the dependencies of package-lock.json, including that Node, if they are not installed. With
// --omit=dev it leaves out the development dependencies, which takes less than half of the time.
// It passes signals to the script, ends with the script's exit code or signal, and writes nothing to standard
// output. The Node of the machine runs this file, so it is plain JavaScript for Node 18 and later.

import { spawn, spawnSync } from 'node:child_process'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { isatty } from 'node:tty'
import { fileURLToPath } from 'node:url'
import { environmentWithFirst, installDependencies, isAlive, projectNode } from './install.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/**
 * Sends SIGTERM to this process when npm, which started it, has ended without a signal to it: npm passes signals to
 * a shell, which may not pass them on, and a killed npm passes on nothing.
 */
function endWithNpm() {
  if (!process.env.npm_lifecycle_event || process.platform === 'win32') return
  const parent = process.ppid
  const npm = npmBehindShell(parent)
  const check = setInterval(() => {
    if (process.ppid === parent && isAlive(npm)) return
    clearInterval(check)
    process.kill(process.pid, 'SIGTERM')
  }, 500)
  check.unref()
}

/** Returns the parent of the shell that npm started, or `pid` if npm started this process without a shell. */
function npmBehindShell(pid) {
  const { stdout } = spawnSync('ps', ['-o', 'ppid=,comm=', '-p', `${pid}`], { encoding: 'utf8' })
  const [, parent, command] = /^\s*(\d+)\s+(.*)$/m.exec(stdout ?? '') ?? []
  return /(^|\/)-?(sh|ash|bash|dash|ksh|zsh|busybox)$/.test(command ?? '') ? parent : pid
}

const fail = (message) => {
  console.error(message)
  process.exit(1)
}
const omitDev = process.argv[2] === '--omit=dev'
const args = process.argv.slice(omitDev ? 3 : 2)
if (args.length === 0) fail('Usage: node scripts/run.mjs [--omit=dev] <script> [argument…]')
endWithNpm()
await installDependencies(root, { omitDev }).catch((error) => fail(error.message))

const child = spawn(projectNode, args, {
  cwd: root,
  env: environmentWithFirst(dirname(projectNode), join(root, 'node_modules', '.bin')),
  stdio: 'inherit',
})
const isInTerminal = [0, 1, 2].some((descriptor) => isatty(descriptor))
// In a terminal, Ctrl-C also reaches the child. A second SIGINT could interrupt its shutdown.
process.on('SIGINT', () => isInTerminal || child.kill('SIGINT'))
process.on('SIGTERM', () => child.kill('SIGTERM'))
// On SIGHUP, Node's watch mode ends without its child. SIGTERM ends both.
process.on('SIGHUP', () => child.kill('SIGTERM'))
child.on('error', (error) => {
  fail(`The project's Node does not start (${error.message}). Delete node_modules and try again.`)
})
child.on('exit', (code, signal) => {
  if (signal === null) process.exit(code)
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
  setTimeout(() => process.exit(128 + constants.signals[signal]), 100)
})
