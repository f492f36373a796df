// Installs the packages of package-lock.json, which include the project's Node. It runs before there are packages,
// so it is plain JavaScript for Node 18 and later and imports only Node.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const { platform, arch } = process
const folder = dirname(dirname(fileURLToPath(import.meta.url)))
const packages = join(folder, 'node_modules')
const nodeFolder = join(packages, `@node/${platform}-${arch}`, 'bin')
// Of PATH and Path, Windows takes PATH.
const PATH = [nodeFolder, join(packages, '.bin'), process.env.PATH].filter(Boolean).join(delimiter)

/** The folder of this project, the executable of its Node, and the environment of this process with that first on the path. */
export const project = {
  folder,
  node: join(nodeFolder, platform === 'win32' ? 'node.exe' : 'node'),
  env: { ...process.env, PATH },
}

/**
 * Installs the packages of the package-lock.json in `root`, unless they are installed and current; then it needs no
 * network. `omitDev` leaves out the development dependencies. Rejects with a message for the user. Any number of
 * processes may call it at the same time. A signal that ends this process also ends npm; the next call installs again.
 */
export async function installDependencies(root, { omitDev = false } = {}) {
  const missing = (withoutDev = omitDev) => missingPackages(root, withoutDev)
  if (missing().length === 0) return
  const lock = await enterAlone(join(root, '.build', 'installing'))
  try {
    // Another process may have installed them while this one waited.
    if (missing().length === 0) return
    console.error('Installing dependencies (once, about a minute)…')
    const dev = omitDev ? '--omit=dev' : '--include=dev'
    // A service may be using the packages: only what they lack, the development dependencies, comes beside them.
    if (missing(true).length > 0) await npm(['ci', dev], root, lock)
    // The npm of an older Node also leaves out packages that require a newer Node.
    if (fs.existsSync(project.node) && missing().length > 0) {
      // npm takes half of a package for the whole.
      for (const path of missing()) fs.rmSync(join(root, path), { recursive: true, force: true })
      await npm(['install', '--no-save', dev], root, lock, project.env)
    }
    if (missing().length === 0) return
    throw new Error(
      `npm has not installed ${missing().join(', ')}: the registry lacks it, or its digest is not that of package-lock.json.`,
    )
  } finally {
    lock.leave(process.pid)
  }
}

/** The folders of the packages that are needed on this platform and not installed completely. */
function missingPackages(root, omitDev) {
  const read = (file) => JSON.parse(fs.readFileSync(join(root, file), 'utf8')).packages
  const wanted = Object.entries(read('package-lock.json')).filter(
    ([, { dev, devOptional }]) => !(omitDev && (dev || devOptional)),
  )
  const optional = wanted.flatMap(([, each]) => Object.keys(each.optionalDependencies ?? {}))
  // npm writes this record as the last step of an install.
  const record = 'node_modules/.package-lock.json'
  let installed = {}
  try {
    installed = read(record)
  } catch {
    // It is missing or cut off: the install broke off.
  }
  const stat = (path) => fs.lstatSync(join(root, path), { throwIfNoEntry: false })
  const recordedMs = stat(record)?.mtimeMs
  const missing = wanted.filter(([path, { version, integrity, ...rest }]) => {
    // The other paths are those of the project and its workspaces.
    if (!path.startsWith('node_modules/')) return false
    const name = path.split('node_modules/').pop()
    if (rest.optional && !(optional.includes(name) && isForHere(rest))) return false
    const found = installed[path]
    if (found?.version !== version || (integrity && found.integrity !== integrity)) return true
    // An install that breaks off leaves no folder, or one that is newer than npm's record.
    const folder = stat(path)
    return !(folder?.isSymbolicLink() || folder?.mtimeMs <= recordedMs)
  })
  return missing.map(([path]) => path)
}

/** Whether an optional package is for this platform. The project's Node needs glibc, so none is for musl. */
const isForHere = ({ os = [platform], cpu = [arch], libc = ['glibc'] }) =>
  os.includes(platform) && cpu.includes(arch) && libc.includes('glibc')

/** Runs npm. Only its errors are shown. Rejects if npm fails. */
async function npm(args, root, lock, env = process.env) {
  // No package needs its install script. NODE_ENV and npm's settings could leave out packages.
  const kinds = ['--ignore-scripts', '--include=optional']
  const quiet = ['--no-audit', '--no-fund', '--no-progress', '--loglevel=error']
  const stdio = ['ignore', 'ignore', 'inherit']
  const options = { cwd: root, env, stdio, shell: platform === 'win32' }
  const child = spawn('npm', [...args, ...kinds, ...quiet], options)
  // If this process is killed, npm continues, and other processes must wait for it.
  lock.enter(child.pid)
  // npm itself would end only after its step.
  const stop = (signal) => {
    child.kill('SIGKILL')
    process.off(signal, stop)
    process.kill(process.pid, signal)
  }
  const [ending] = await endOf(child, stop).catch(({ message }) => [message])
  lock.leave(child.pid)
  if (ending === 0) return
  const failure = `Installing dependencies failed: npm ${args[0]} ended with ${ending}.`
  throw new Error(`${failure} Is the network there? Then run the command again.`)
}

/**
 * Waits until no other process is in `folder`: each has a file there, which is named after its id, and waits as long as
 * it finds the file of another process that runs. Files of killed processes do not count.
 */
async function enterAlone(folder) {
  const enter = (pid) => fs.writeFileSync(join(folder, `${pid}`), '')
  const leave = (pid) => fs.rmSync(join(folder, `${pid}`), { force: true })
  const isOther = (pid) => {
    const file = fs.statSync(join(folder, pid), { throwIfNoEntry: false })
    // No install takes half an hour: a later process has got the id.
    return pid !== `${process.pid}` && file?.mtimeMs > Date.now() - 1_800_000 && isAlive(pid)
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

/**
 * Resolves with the exit code and the signal of a child, one of which is null. Until then, `onSignal` receives the
 * signals of this process. Rejects if the child does not start.
 */
export async function endOf(child, onSignal) {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  for (const signal of signals) process.on(signal, onSignal)
  try {
    return await once(child, 'exit')
  } finally {
    for (const signal of signals) process.off(signal, onSignal)
  }
}
