// Installs the dependencies, including the project's Node, when they differ from package-lock.json. It runs
// before there are dependencies, so it is plain JavaScript for Node 18 and later and imports only Node.

import { spawnSync } from 'node:child_process'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { acquireInstallLock } from './install-lock.mjs'
import { npm } from './npm.mjs'

/** Includes what NODE_ENV or npm's settings would otherwise omit. */
const EVERY_KIND = ['--include=dev', '--include=optional']
/** The packages that `npm start` needs, without those of the tests and of the deployment. */
const WITHOUT_DEV = ['--omit=dev', '--include=optional']

/** The executable of Node in its package. */
const EXECUTABLE = process.platform === 'win32' ? 'bin/node.exe' : 'bin/node'

/** Returns the path of the executable of the `node` package of `root`. */
export const projectNode = (root) => join(root, 'node_modules', 'node', EXECUTABLE)

/**
 * Installs the dependencies of `root` and the project's Node, unless they are installed and current; then
 * it needs no network. `omitDev` leaves out the development dependencies, except that Node. Announces an
 * install on standard error. Rejects with a message for the user when the install fails. Any number of
 * processes may call it at the same time.
 */
export async function installDependencies(root, { omitDev = false } = {}) {
  if (isComplete(root, omitDev)) return
  const lock = await acquireInstallLock(root)
  try {
    // Another process may have installed them while this one waited for the lock.
    if (isComplete(root, omitDev)) return
    console.error('Installing dependencies (once, about a minute)…')
    if (isComplete(root, true)) await addDevPackages(root, lock)
    else await installAll(root, lock, omitDev)
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
    if (missingPackages(root).length > 0) await installPackages(root, lock, EVERY_KIND)
  } finally {
    lock.release()
  }
}

/** Installs the packages and, at the same time, the Node, because npm uses one core. */
async function installAll(root, lock, omitDev) {
  const kinds = omitDev ? WITHOUT_DEV : EVERY_KIND
  const hasPackages = missingPackages(root, omitDev).length === 0
  const packages = hasPackages ? Promise.resolve() : installPackages(root, lock, kinds)
  const [installed, fetched] = await Promise.allSettled([packages, fetchNode(root, lock)])
  if (installed.status === 'rejected') throw installed.reason
  if (fetched.status === 'rejected') throw fetched.reason
  placeNode(root)
  // Links the executable for npx. npm also replaces a package whose executables are not linked.
  await npm(['rebuild', 'node', '--ignore-scripts'], { root, lock })
  if (missingPackages(root, omitDev).length > 0) await installLeftOut(root, lock, kinds, omitDev)
}

async function installPackages(root, lock, kinds) {
  // Without npm's record, an install that breaks off never looks complete.
  rmSync(installedRecord(root), { force: true })
  // Only `node` needs its install script. Some of the others need a C++ compiler.
  await npm(['ci', '--ignore-scripts', ...kinds], { root, lock })
}

/** Adds the development dependencies to the others, which a running service may be using. */
const addDevPackages = (root, lock) => installLeftOut(root, lock, EVERY_KIND, false)

/**
 * Installs missing packages beside the others. It is also for packages that the npm of an older Node omits
 * because they require a newer Node.
 */
async function installLeftOut(root, lock, kinds, omitDev) {
  const args = ['install', '--no-save', '--ignore-scripts', ...kinds]
  await npm(args, { root, lock, node: projectNode(root) })
  const missing = missingPackages(root, omitDev)
  if (missing.length > 0) throw new Error(`npm does not install ${missing.join(', ')}.`)
}

/** The folder into which the Node is fetched: `npm ci` would remove it from node_modules. */
const fetchedNode = (root) => join(root, '.build', 'node')

/**
 * Fetches the package with the executable for this platform. The `node` package would fetch it with a script
 * that checks no digest. npm compares this package with its digest in node-packages.json.
 */
async function fetchNode(root, lock) {
  const folder = fetchedNode(root)
  const { name, integrity } = nodePackage(root)
  const version = nodeVersion(root)
  const description = { private: true, dependencies: { [name]: version } }
  const packages = { '': description, [`node_modules/${name}`]: { version, integrity } }
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify(description))
  writeFileSync(
    join(folder, 'package-lock.json'),
    JSON.stringify({ lockfileVersion: 3, requires: true, packages }),
  )
  await npm(['ci', '--ignore-scripts'], { root: folder, lock })
}

/** The package with the executable of Node for this platform. Its digest is that of npm's registry. */
function nodePackage(root) {
  const platforms = JSON.parse(readFileSync(join(root, 'scripts/node-packages.json'), 'utf8'))
  const platform = `${process.platform}-${process.arch}`
  if (Object.hasOwn(platforms, platform)) return platforms[platform]
  throw new Error(`There is no Node ${nodeVersion(root)} for this machine (${platform}).`)
}

/** Makes the fetched executable that of the `node` package. Throws if it does not run on this machine. */
function placeNode(root) {
  const target = join(root, 'node_modules', 'node')
  const version = nodeVersion(root)
  const fetched = join(fetchedNode(root), 'node_modules', nodePackage(root).name, EXECUTABLE)
  rmSync(target, { recursive: true, force: true })
  mkdirSync(join(target, 'bin'), { recursive: true })
  renameSync(fetched, projectNode(root))
  const description = { name: 'node', version, bin: { node: EXECUTABLE } }
  writeFileSync(join(target, 'package.json'), JSON.stringify(description, null, 2))
  rmSync(fetchedNode(root), { recursive: true, force: true })
  recordNode(root)
  const { stdout, error } = spawnSync(projectNode(root), ['--version'], { encoding: 'utf8' })
  if (stdout?.trim() === `v${version}`) return
  rmSync(projectNode(root), { force: true })
  const reason = error?.message ?? `its version is ${stdout?.trim() || 'unknown'}`
  throw new Error(
    `Node ${version} does not run on this machine (${process.platform} ${process.arch}): ${reason}`,
  )
}

/** Adds the Node to npm's record: npm replaces a package that is not in it, also while the Node runs. */
function recordNode(root) {
  const record = JSON.parse(readFileSync(installedRecord(root), 'utf8'))
  const wanted = readPackages(join(root, 'package-lock.json'))
  record.packages['node_modules/node'] = wanted['node_modules/node']
  writeFileSync(installedRecord(root), JSON.stringify(record, null, 2))
}

const nodeVersion = (root) =>
  readPackages(join(root, 'package-lock.json'))['node_modules/node'].version

/** npm's record of the packages in node_modules, written as the last step of an install. */
function installedRecord(root) {
  return join(root, 'node_modules', '.package-lock.json')
}

function isComplete(root, omitDev) {
  return existsSync(projectNode(root)) && missingPackages(root, omitDev).length === 0
}

/** The packages of package-lock.json that belong on this platform and are not installed completely. */
function missingPackages(root, omitDev = false) {
  const wanted = readPackages(join(root, 'package-lock.json'))
  const { installed, recordedMs } = readInstalled(root)
  const paths = Object.keys(wanted).filter(
    (path) => path !== '' && isNeeded(wanted[path]) && !(omitDev && wanted[path].dev),
  )
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
