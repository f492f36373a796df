// Installs the packages of package-lock.json, which include the project's Node. It runs before there are packages,
// so it is plain JavaScript for Node 18 and later and imports only Node.

import { spawn } from 'node:child_process'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const { platform, arch } = process
const endings = ['SIGINT', 'SIGTERM', 'SIGHUP']
const repository = dirname(dirname(fileURLToPath(import.meta.url)))
const nodePackage = `@node/${platform}-${arch}`

/** The executable of the project's Node, in its package for this platform. */
export const projectNode = join(
  ...[repository, 'node_modules', nodePackage, 'bin'],
  platform === 'win32' ? 'node.exe' : 'node',
)

/**
 * Installs the packages of the package-lock.json in `root`, unless they are installed and current; then it needs no
 * network. `omitDev` leaves out the development dependencies. Announces an install on standard error. Rejects with a
 * message for the user when the install fails. Any number of processes may call it at the same time. A signal that
 * ends this process also ends npm, and the next call installs again.
 */
export async function installDependencies(root, { omitDev = false } = {}) {
  const missing = (withoutDev = omitDev) => missingPackages(root, withoutDev)
  if (missing().length === 0) return
  await alone(join(root, '.build', 'installing'), async (lock) => {
    // Another process may have installed them while this one waited.
    if (missing().length === 0) return
    console.error('Installing dependencies (once, about a minute)…')
    // No package needs its install script. NODE_ENV and npm's settings could leave out packages.
    const kinds = [
      '--ignore-scripts',
      '--include=optional',
      `--${omitDev ? 'omit' : 'include'}=dev`,
    ]
    // A service may be using the packages: only what they lack, the development dependencies, comes beside them.
    if (missing(true).length > 0) await npm(['ci', ...kinds], { root, lock })
    // The npm of an older Node also leaves out packages that require a newer Node.
    if (existsSync(projectNode) && missing().length > 0) {
      await npm(['install', '--no-save', ...kinds], { root, lock, node: projectNode })
    }
    const names = missing().join(', ')
    if (names !== '') {
      throw new Error(
        `npm has not installed ${names}: the registry lacks it, or its digest is not that of package-lock.json.`,
      )
    }
    // npm 10 removes the command of the package together with those of other platforms.
    if (existsSync(projectNode) && !existsSync(join(repository, 'node_modules/.bin/node'))) {
      await npm(['rebuild', nodePackage, '--ignore-scripts'], { root: repository, lock })
    }
  })
}

/** The packages of package-lock.json that belong on this platform and are not installed completely. */
function missingPackages(root, omitDev) {
  const read = (file) => JSON.parse(readFileSync(join(root, file), 'utf8')).packages
  const wanted = read('package-lock.json')
  let installed = {}
  let recordedMs = 0
  try {
    // npm writes this record as the last step of an install.
    installed = read('node_modules/.package-lock.json')
    recordedMs = lstatSync(join(root, 'node_modules/.package-lock.json')).mtimeMs
  } catch {
    // It is missing or cut off: the install broke off.
  }
  return Object.keys(wanted).filter((path) => {
    const { version, integrity, dev } = wanted[path]
    if (path === '' || !isNeeded(wanted[path]) || (omitDev && dev)) return false
    const found = installed[path]
    if (found?.version !== version || (integrity && found.integrity !== integrity)) return true
    // An install that breaks off leaves no folder, or one that is newer than npm's record.
    const folder = lstatSync(join(root, path), { throwIfNoEntry: false })
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

/**
 * Runs `work` while no other process does: each has a file in `folder`, which is named after its id, and waits as
 * long as it finds the file of another process that runs. Files of killed processes do not count.
 */
async function alone(folder, work) {
  const fileOf = (pid) => join(folder, `${pid}`)
  const enter = (pid) => writeFileSync(fileOf(pid), '')
  const leave = (pid) => rmSync(fileOf(pid), { force: true })
  const isAlone = () => {
    enter(process.pid)
    const others = readdirSync(folder).filter((pid) => pid !== `${process.pid}`)
    for (const pid of others) if (!isAlive(pid)) leave(pid)
    return !others.some(isAlive)
  }
  mkdirSync(folder, { recursive: true })
  for (let announced = false; !isAlone(); announced = true) {
    leave(process.pid)
    if (!announced) console.error('Waiting for another command to finish installing…')
    // Two that meet wait for different times.
    await sleep(50 + Math.random() * 100)
  }
  await work({ enter, leave }).finally(() => leave(process.pid))
}

/** Whether a process runs. */
export function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** Runs npm quietly, with the Node at `node` (by default npm's own). Rejects with npm's output if npm fails. */
async function npm(args, { root, lock, node }) {
  const { npm_execpath: cli, npm_node_execpath: ownNode = process.execPath } = process.env
  const isGiven = cli?.endsWith('npm-cli.js')
  const command = isGiven ? (node ?? ownNode) : platform === 'win32' ? 'npm.cmd' : 'npm'
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
  const child = spawn(command, [...(isGiven ? [cli] : []), ...args, ...quiet], {
    cwd: root,
    env: node ? environmentWithFirst(dirname(node)) : process.env,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: command.endsWith('.cmd'),
  })
  // If this process is killed, npm continues, and other processes must wait for it.
  if (child.pid) lock.enter(child.pid)
  const output = Promise.all([text(child.stdout), text(child.stderr)])
  const free = () => {
    for (const signal of endings) process.off(signal, stop)
    if (child.pid) lock.leave(child.pid)
  }
  const stop = (signal) => {
    child.kill('SIGKILL')
    free()
    process.kill(process.pid, signal)
  }
  for (const signal of endings) process.on(signal, stop)
  const ending = await new Promise((resolve) => {
    child.on('error', ({ message }) => resolve(message)).on('close', resolve)
  })
  free()
  if (ending === 0) return
  const failure = `Installing dependencies failed: npm ${args[0]} ended with ${ending}.`
  throw new Error(
    `${(await output).join('')}\n${failure} Is the network there? Then run the command again.`,
  )
}

/** Returns the environment of this process, with `directories` first on the path. */
export function environmentWithFirst(...directories) {
  const name = Object.keys(process.env).find((key) => key.toUpperCase() === 'PATH') ?? 'PATH'
  const path = [...directories, process.env[name]].filter(Boolean).join(delimiter)
  return { ...process.env, [name]: path }
}
