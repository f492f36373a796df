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
import { readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installDependencies, projectNode } from './install.mjs'
import { environmentWithFirst } from './npm.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

const PARENT_CHECK_MS = 500

/** Passes signals to `child` until the returned function is called. */
function forwardSignals(child) {
  const handlers = {
    // In a terminal, Ctrl-C also reaches the child. A second SIGINT could interrupt its shutdown.
    SIGINT: () => hasTerminal() || child.kill('SIGINT'),
    SIGTERM: () => child.kill('SIGTERM'),
    // On SIGHUP, Node's watch mode ends without its child. SIGTERM ends both.
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

/**
 * Ends `child` when npm, which started this process, has ended without a signal to it: npm passes signals to
 * a shell, which may not pass them on, and a killed npm passes on nothing.
 */
function endWithNpm(child) {
  if (!process.env.npm_lifecycle_event || process.platform === 'win32') return
  const parent = process.ppid
  const npm = npmBehindShell(parent)
  const check = setInterval(() => {
    if (process.ppid === parent && (npm === undefined || isParent(npm, parent))) return
    clearInterval(check)
    child.kill('SIGTERM')
  }, PARENT_CHECK_MS)
  check.unref()
}

/** Returns the parent of the shell that npm started, or `undefined` if npm started this process without a shell. */
function npmBehindShell(pid) {
  const { stdout } = spawnSync('ps', ['-o', 'ppid=,comm=', '-p', `${pid}`], { encoding: 'utf8' })
  const [, parent, command] = /^\s*(\d+)\s+(.*)$/m.exec(stdout ?? '') ?? []
  return /(^|\/)-?(sh|ash|bash|dash|ksh|zsh|busybox)$/.test(command ?? '')
    ? Number(parent)
    : undefined
}

/** Whether a process that had the parent `pid` still has it. Without /proc, whether the parent exists. */
function isParent(pid, childPid) {
  try {
    // The fields after the command, which is in parentheses: the state and the parent.
    const [, parent] = /\) \S (\d+)/.exec(readFileSync(`/proc/${childPid}/stat`, 'latin1')) ?? []
    return Number(parent) === pid
  } catch {
    return isAlive(pid)
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** Ends this process with the exit code or the signal of the child. */
function endLike(code, signal) {
  if (signal === null) process.exit(code)
  process.kill(process.pid, signal)
  setTimeout(() => process.exit(128 + constants.signals[signal]), 100)
}

function fail(message) {
  console.error(message)
  process.exit(1)
}

const omitDev = process.argv[2] === '--omit=dev'
const args = process.argv.slice(omitDev ? 3 : 2)
if (args.length === 0) fail('Usage: node scripts/run.mjs [--omit=dev] <script> [argument…]')
await installDependencies(root, { omitDev }).catch((error) => fail(error.message))

const node = projectNode(root)
const child = spawn(node, args, {
  cwd: root,
  env: environmentWithFirst(dirname(node), join(root, 'node_modules', '.bin')),
  stdio: 'inherit',
})
const stopForwarding = forwardSignals(child)
endWithNpm(child)
child.on('error', (error) => {
  fail(`The project's Node does not start (${error.message}). Delete node_modules and try again.`)
})
child.on('exit', (code, signal) => {
  stopForwarding()
  endLike(code, signal)
})
