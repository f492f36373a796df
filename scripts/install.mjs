// Installs the packages of package-lock.json, which include the project's Node. It runs before there are packages,
// so it is plain JavaScript for Node 18 and later and imports only Node.

import { spawn } from 'node:child_process'
import fs from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const { platform, arch } = process
const endings = ['SIGINT', 'SIGTERM', 'SIGHUP']
const repository = dirname(dirname(fileURLToPath(import.meta.url)))
const nodePackage = `@node/${platform}-${arch}`
const nodeFile = platform === 'win32' ? 'node.exe' : 'node'

/** The executable of the project's Node, in its package for this platform. */
export const projectNode = join(repository, 'node_modules', nodePackage, 'bin', nodeFile)

/**
 * Installs the packages of the package-lock.json in `root`, unless they are installed and current; then it needs no
 * network. `omitDev` leaves out the development dependencies. Announces an install on standard error. Rejects with a
 * message for the user when the install fails. Any number of processes may call it at the same time. A signal that
 * ends this process also ends npm, and the next call installs again.
 */
export async function installDependencies(root, { omitDev = false } = {}) {
  const missing = (withoutDev = omitDev) => missingPackages(root, withoutDev)
  if (missing().length === 0) return
  const lock = await enterAlone(join(root, '.build', 'installing'))
  try {
    // Another process may have installed them while this one waited.
    if (missing().length === 0) return
    console.error('Installing dependencies (once, about a minute)…')
    // No package needs its install script. NODE_ENV and npm's settings could leave out packages.
    const dev = omitDev ? '--omit=dev' : '--include=dev'
    const kinds = ['--ignore-scripts', '--include=optional', dev]
    // A service may be using the packages: only what they lack, the development dependencies, comes beside them.
    if (missing(true).length > 0) await npm(['ci', ...kinds], root, lock)
    // The npm of an older Node also leaves out packages that require a newer Node.
    if (fs.existsSync(projectNode) && missing().length > 0) {
      const env = environmentWithFirst(dirname(projectNode))
      await npm(['install', '--no-save', ...kinds], root, lock, env)
    }
    const names = missing().join(', ')
    if (names === '') return
    throw new Error(
      `npm has not installed ${names}: the registry lacks it, or its digest is not that of package-lock.json.`,
    )
  } finally {
    lock.leave(process.pid)
  }
}

/** The packages of package-lock.json that belong on this platform and are not installed completely. */
function missingPackages(root, omitDev) {
  const read = (file) => JSON.parse(fs.readFileSync(join(root, file), 'utf8')).packages
  const wanted = read('package-lock.json')
  let installed = {}
  let recordedMs = 0
  try {
    // npm writes this record as the last step of an install.
    installed = read('node_modules/.package-lock.json')
    recordedMs = fs.lstatSync(join(root, 'node_modules/.package-lock.json')).mtimeMs
  } catch {
    // It is missing or cut off: the install broke off.
  }
  return Object.keys(wanted).filter((path) => {
    const { version, integrity, dev } = wanted[path]
    if (path === '' || !isNeeded(wanted[path]) || (omitDev && dev)) return false
    const found = installed[path]
    if (found?.version !== version || (integrity && found.integrity !== integrity)) return true
    // An install that breaks off leaves no folder, or one that is newer than npm's record.
    const folder = fs.lstatSync(join(root, path), { throwIfNoEntry: false })
    const isPackage = path.startsWith('node_modules/') && !folder?.isSymbolicLink()
    return isPackage && !(folder?.mtimeMs <= recordedMs)
  })
}

function isNeeded({ optional, os, cpu, libc }) {
  if (!optional) return true
  const isIn = (list, value) => list === undefined || list.includes(value)
  // The project's Node needs glibc, so packages for musl are never needed.
  return (os ?? cpu) !== undefined && isIn(os, platform) && isIn(cpu, arch) && isIn(libc, 'glibc')
}

/** The longest time of an install: the id of an older file is that of another process, which got it later. */
const longestInstallMilliseconds = 30 * 60_000

/**
 * Waits until no other process is in `folder`: each has a file there, which is named after its id, and waits as long as
 * it finds the file of another process that runs. Files of killed processes do not count.
 */
async function enterAlone(folder) {
  const fileOf = (pid) => join(folder, `${pid}`)
  const enter = (pid) => fs.writeFileSync(fileOf(pid), '')
  const leave = (pid) => fs.rmSync(fileOf(pid), { force: true })
  const isOther = (pid) => {
    const { mtimeMs = 0 } = fs.statSync(fileOf(pid), { throwIfNoEntry: false }) ?? {}
    const isCurrent = Date.now() - mtimeMs < longestInstallMilliseconds
    return pid !== `${process.pid}` && isCurrent && isAlive(pid)
  }
  fs.mkdirSync(folder, { recursive: true })
  enter(process.pid)
  for (let announced = false; fs.readdirSync(folder).some(isOther); announced = true) {
    leave(process.pid)
    if (!announced) console.error('Waiting for another command to finish installing…')
    // Two that meet wait for different times.
    await sleep(50 + Math.random() * 100)
    enter(process.pid)
  }
  return { enter, leave }
}

/** Whether a process runs. One that has ended can keep its id: in a container, nobody may take notice of its end. */
export function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return platform !== 'linux' || !fs.readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ')
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** Runs npm. Only its errors are shown. Rejects if npm fails. */
async function npm(args, root, lock, env = process.env) {
  const quiet = ['--no-audit', '--no-fund', '--no-progress', '--loglevel=error']
  const stdio = ['ignore', 'ignore', 'inherit']
  const options = { cwd: root, env, stdio, shell: platform === 'win32' }
  const child = spawn('npm', [...args, ...quiet], options)
  // If this process is killed, npm continues, and other processes must wait for it.
  lock.enter(child.pid)
  const stop = (signal) => {
    child.kill('SIGKILL')
    process.off(signal, stop)
    process.kill(process.pid, signal)
  }
  for (const signal of endings) process.on(signal, stop)
  const ending = await new Promise((resolve) => {
    child.on('error', ({ message }) => resolve(message)).on('exit', resolve)
  })
  for (const signal of endings) process.off(signal, stop)
  lock.leave(child.pid)
  if (ending === 0) return
  const failure = `Installing dependencies failed: npm ${args[0]} ended with ${ending}.`
  throw new Error(`${failure} Is the network there? Then run the command again.`)
}

/** The environment of this process, with `directories` first on the path. Of PATH and Path, Windows takes PATH. */
export const environmentWithFirst = (...directories) => ({
  ...process.env,
  PATH: [...directories, process.env.PATH].filter(Boolean).join(delimiter),
})
