// Installs the dependencies when they are not those of package-lock.json, the project's Node among
// them. Plain JavaScript for Node 18 and up, without dependencies: it runs before there are any.

import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { acquireInstallLock } from './install-lock.mjs'
import { npm } from './npm.mjs'

/** Whatever NODE_ENV or npm's settings would leave out. */
const EVERY_KIND = ['--include=dev', '--include=optional']

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
  if (isComplete(root)) return
  const lock = await acquireInstallLock(root)
  try {
    // Another process may have installed them while this one waited for the lock.
    if (isComplete(root)) return
    console.error('Installing dependencies (once, about a minute)…')
    if (missingPackages(root).length > 0) await installPackages(root, lock)
    if (!existsSync(projectNode(root))) await installNode(root, lock)
    if (missingPackages(root).length > 0) await installLeftOut(root, lock)
  } finally {
    lock.release()
  }
}

/**
 * Like {@link installDependencies}, for a folder with a package-lock.json of its own that does not contain
 * the project's Node.
 */
export async function installFolder(root) {
  if (missingPackages(root).length === 0) return
  const lock = await acquireInstallLock(root)
  try {
    if (missingPackages(root).length > 0) await installPackages(root, lock)
  } finally {
    lock.release()
  }
}

async function installPackages(root, lock) {
  // Without its own record an install that breaks off can never look complete.
  rmSync(installedRecord(root), { force: true })
  // No package but `node` needs its install script, and some would call for a C++ compiler.
  await npm(['ci', '--ignore-scripts', ...EVERY_KIND], { root, lock })
}

/** An older Node's npm leaves out the native packages that ask for a newer Node. */
async function installLeftOut(root, lock) {
  const args = ['install', '--no-save', '--ignore-scripts', ...EVERY_KIND]
  await npm(args, { root, lock, node: projectNode(root) })
  const missing = missingPackages(root)
  if (missing.length > 0) throw new Error(`npm does not install ${missing.join(', ')}.`)
}

async function installNode(root, lock) {
  // The script's own npm would take the remains of a broken-off download for the whole.
  rmSync(join(root, 'node_modules', 'node', 'node_modules'), { recursive: true, force: true })
  await npm(['rebuild', 'node', '--ignore-scripts=false'], { root, lock })
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

function isComplete(root) {
  return existsSync(projectNode(root)) && missingPackages(root).length === 0
}

/** The packages of package-lock.json that are not installed and belong on this platform. */
function missingPackages(root) {
  const wanted = readPackages(join(root, 'package-lock.json'))
  const installed = readInstalled(root)
  const paths = Object.keys(wanted).filter((path) => path !== '' && isNeeded(wanted[path]))
  return paths.filter((path) => {
    const { version, integrity } = wanted[path]
    return installed[path]?.version !== version || installed[path]?.integrity !== integrity
  })
}

function isNeeded({ optional, os, cpu, libc }) {
  if (!optional) return true
  const isIn = (list, value) => list === undefined || list.includes(value)
  // The project's Node is built on glibc: where it runs at all, packages for musl are foreign.
  const isForPlatform = isIn(os, process.platform) && isIn(cpu, process.arch) && isIn(libc, 'glibc')
  return isForPlatform && (os ?? cpu) !== undefined
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
