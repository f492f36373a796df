#!/usr/bin/env node
// Runs the project's own Node, whatever Node the machine has:
//
//   node scripts/run.mjs [node option…] <script> [argument…]
//
// First it sees to it that the dependencies, that Node among them, are those of package-lock.json.
// Signals are passed on, and it ends as the script ends. Standard output is the script's alone.
// The machine's own Node reads this file, so it is plain JavaScript for Node 18 and up.

import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installDependencies, projectNode } from './install.mjs'
import { environmentWithFirst } from './npm.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** Passes signals on to `child` until the returned function is called. */
function forwardSignals(child) {
  const handlers = {
    // Ctrl-C in a terminal reaches the child without us: a second one could cut its farewell short.
    SIGINT: () => hasTerminal() || child.kill('SIGINT'),
    SIGTERM: () => child.kill('SIGTERM'),
    // Node's watch mode dies of SIGHUP and leaves its child behind; SIGTERM ends both.
    SIGHUP: () => child.kill('SIGTERM'),
  }
  for (const [signal, handler] of Object.entries(handlers)) process.on(signal, handler)
  return () => {
    for (const [signal, handler] of Object.entries(handlers)) process.off(signal, handler)
  }
}

function hasTerminal() {
  return process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY
}

/** Ends this process as the child ended: with its exit code, or of its signal. */
function endLike(code, signal) {
  if (signal === null) process.exit(code)
  process.kill(process.pid, signal)
  setTimeout(() => process.exit(128 + constants.signals[signal]), 100)
}

function fail(message) {
  console.error(message)
  process.exit(1)
}

if (process.argv.length < 3) fail('Usage: node scripts/run.mjs <script> [argument…]')
await installDependencies(root).catch((error) => fail(error.message))

const node = projectNode(root)
const child = spawn(node, process.argv.slice(2), {
  cwd: root,
  env: environmentWithFirst(dirname(node), join(root, 'node_modules', '.bin')),
  stdio: 'inherit',
})
const stopForwarding = forwardSignals(child)
child.on('error', (error) => {
  fail(`The project's Node does not start (${error.message}). Delete node_modules and try again.`)
})
child.on('exit', (code, signal) => {
  stopForwarding()
  endLike(code, signal)
})
