// Installs the dependencies when they are not those of package-lock.json, the project's Node among
// them. Plain JavaScript for Node 18 and up, without dependencies: it runs before there are any.

import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { acquireInstallLock } from './install-lock.mjs'

/** Where the `node` package of `root` keeps its executable. */
export function projectNode(root) {
  const executable = process.platform === 'win32' ? 'node.exe' : 'node'
  return join(root, 'node_modules', 'node', 'bin', executable)
}

/**
 * Returns once the dependencies of `root` are installed and current; at once, and without network,
 * when they are already. Says on standard error what takes long, and rejects with one message for
 * a person when it cannot be done. Any number of processes may call it at the same time.
 */
export async function installDependencies(root) {
  if (isCurrent(root) && existsSync(projectNode(root))) return
  const lock = await acquireInstallLock(root)
  try {
    // Another process may have installed them while this one waited for the lock.
    if (!isCurrent(root)) await installAll(root, lock)
    if (!existsSync(projectNode(root))) await installNode(root, lock)
  } finally {
    lock.release()
  }
}

async function installAll(root, lock) {
  console.error('Installing dependencies (once, about a minute)…')
  // Without its own record an install that breaks off can never look complete.
  rmSync(installedRecord(root), { force: true })
  // No package but `node` needs its install script, and some would call for a C++ compiler.
  await npm(root, lock, ['ci', '--ignore-scripts', '--include=dev', '--include=optional'])
}

async function installNode(root, lock) {
  // The script's own npm would take the remains of a broken-off download for the whole.
  rmSync(join(root, 'node_modules', 'node', 'node_modules'), { recursive: true, force: true })
  await npm(root, lock, ['rebuild', 'node', '--ignore-scripts=false'])
  const { version } = readPackages(join(root, 'package-lock.json'))['node_modules/node']
  const { stdout, error } = spawnSync(projectNode(root), ['--version'], { encoding: 'utf8' })
  if (stdout?.trim() === `v${version}`) return
  rmSync(projectNode(root), { force: true })
  const reason = error?.message ?? `it calls itself ${stdout?.trim() || 'nothing'}`
  throw new Error(
    `Node ${version} does not run on this machine (${process.platform} ${process.arch}): ${reason}`,
  )
}

/** npm writes its record of what is in node_modules as the last step of an install. */
function installedRecord(root) {
  return join(root, 'node_modules', '.package-lock.json')
}

/** Whether every package of package-lock.json is installed, but those for other platforms. */
function isCurrent(root) {
  const wanted = readPackages(join(root, 'package-lock.json'))
  const installed = readInstalled(root)
  return Object.entries(wanted).every(([path, { version, integrity, optional }]) => {
    if (path === '') return true
    const found = installed[path]
    return found ? found.version === version && found.integrity === integrity : optional === true
  })
}

function readInstalled(root) {
  try {
    return readPackages(installedRecord(root))
  } catch {
    return {} // Missing or half written: the install broke off.
  }
}

function readPackages(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages
}

/** Runs npm without a word, or rejects with all that it said. */
function npm(root, lock, args) {
  const [command, ...prefix] = npmCommand()
  const child = spawn(
    command,
    [...prefix, ...args, '--no-audit', '--no-fund', '--loglevel=error'],
    {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own, so that stopping it stops what it started.
      detached: process.platform !== 'win32',
      shell: command.endsWith('.cmd'),
    },
  )
  lock.hold(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text
    })
  }
  return new Promise((resolve, reject) => {
    child.on('error', (error) => reject(new Error(`npm does not start (${error.message}).`)))
    child.on('close', (code) => {
      if (code === 0) return resolve()
      reject(new Error(`${output}\n${failure(args[0], code)}`))
    })
  })
}

function failure(command, code) {
  return `Installing dependencies failed: npm ${command} ended with ${code}. Is the network there? Run the same command again.`
}

/** The npm that started this process, else the one on the path. */
function npmCommand() {
  const { npm_execpath: cli, npm_node_execpath: node = process.execPath } = process.env
  if (cli?.endsWith('npm-cli.js')) return [node, cli]
  return [process.platform === 'win32' ? 'npm.cmd' : 'npm']
}
