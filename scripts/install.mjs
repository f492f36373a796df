// Installs the dependencies, including the project's Node, when they differ from package-lock.json. It runs
// before there are dependencies, so it is plain JavaScript for Node 18 and later and imports only Node.

import { spawnSync } from 'node:child_process'
import { existsSync, lstatSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { acquireInstallLock } from './install-lock.mjs'
import { npm } from './npm.mjs'

/** Includes what NODE_ENV or npm's settings would otherwise omit. */
const EVERY_KIND = ['--include=dev', '--include=optional']

/** Returns the path of the executable of the `node` package of `root`. */
export function projectNode(root) {
  const executable = process.platform === 'win32' ? 'node.exe' : 'node'
  return join(root, 'node_modules', 'node', 'bin', executable)
}

/**
 * Installs the dependencies of `root`, unless they are installed and current; then it needs no network.
 * Announces an install on standard error. Rejects with a message for the user when the install fails.
 * Any number of processes may call it at the same time.
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
  // Without npm's record, an install that breaks off never looks complete.
  rmSync(installedRecord(root), { force: true })
  // Only `node` needs its install script. Some of the others need a C++ compiler.
  await npm(['ci', '--ignore-scripts', ...EVERY_KIND], { root, lock })
}

/** The npm of an older Node omits native packages that require a newer Node. */
async function installLeftOut(root, lock) {
  const args = ['install', '--no-save', '--ignore-scripts', ...EVERY_KIND]
  await npm(args, { root, lock, node: projectNode(root) })
  const missing = missingPackages(root)
  if (missing.length > 0) throw new Error(`npm does not install ${missing.join(', ')}.`)
}

async function installNode(root, lock) {
  // The install script takes the rest of an interrupted download for a complete one.
  rmSync(join(root, 'node_modules', 'node', 'node_modules'), { recursive: true, force: true })
  await npm(['rebuild', 'node', '--ignore-scripts=false'], { root, lock })
  const { version } = readPackages(join(root, 'package-lock.json'))['node_modules/node']
  const { stdout, error } = spawnSync(projectNode(root), ['--version'], { encoding: 'utf8' })
  if (stdout?.trim() === `v${version}`) return
  rmSync(projectNode(root), { force: true })
  const reason = error?.message ?? `its version is ${stdout?.trim() || 'unknown'}`
  throw new Error(
    `Node ${version} does not run on this machine (${process.platform} ${process.arch}): ${reason}`,
  )
}

/** npm's record of the packages in node_modules, written as the last step of an install. */
function installedRecord(root) {
  return join(root, 'node_modules', '.package-lock.json')
}

function isComplete(root) {
  return existsSync(projectNode(root)) && missingPackages(root).length === 0
}

/** The packages of package-lock.json that belong on this platform and are not installed completely. */
function missingPackages(root) {
  const wanted = readPackages(join(root, 'package-lock.json'))
  const { installed, recordedMs } = readInstalled(root)
  const paths = Object.keys(wanted).filter((path) => path !== '' && isNeeded(wanted[path]))
  return paths.filter((path) => {
    const { version, integrity } = wanted[path]
    const isRecorded =
      installed[path]?.version === version && installed[path]?.integrity === integrity
    return !isRecorded || isBrokenOff(root, path, recordedMs)
  })
}

/**
 * Whether an install broke off at this package: its folder is missing, or newer than npm's record. npm
 * itself distrusts its record then.
 */
function isBrokenOff(root, path, recordedMs) {
  // The install script of `node` runs after the record is written; links lead into the repository.
  if (path === 'node_modules/node' || !path.startsWith('node_modules/')) return false
  const folder = lstatSync(join(root, path), { throwIfNoEntry: false })
  return folder === undefined || (folder.isDirectory() && folder.mtimeMs > recordedMs)
}

function isNeeded({ optional, os, cpu, libc }) {
  if (!optional) return true
  const isIn = (list, value) => list === undefined || list.includes(value)
  // The project's Node needs glibc, so packages for musl are never needed.
  const isForPlatform = isIn(os, process.platform) && isIn(cpu, process.arch) && isIn(libc, 'glibc')
  return isForPlatform && (os ?? cpu) !== undefined
}

function readInstalled(root) {
  const record = installedRecord(root)
  try {
    return { installed: readPackages(record), recordedMs: lstatSync(record).mtimeMs }
  } catch {
    return { installed: {}, recordedMs: 0 } // Missing or half written: the install broke off.
  }
}

function readPackages(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages
}
