// Only one process at a time installs into node_modules. The lock is a file with the identifiers of the
// processes that install, so that other processes recognize the lock of a killed process and ignore it.

import { readFileSync, renameSync, rmSync, statSync, utimes, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const HEARTBEAT_MS = 1_000
const POLL_MS = 100
/** Another process may have the identifier by now. Then only the missing heartbeat shows that it is abandoned. */
const SILENT_MS = 120_000
/** The longest time to write the identifiers into a new lock file. */
const WRITING_MS = 2_000

/**
 * Waits until no other process installs into `root`, and returns the lock. A signal that ends this process
 * also ends the children that were passed to `hold`, and releases the lock.
 */
export async function acquireInstallLock(root) {
  const path = join(root, '.install-lock')
  for (let announced = false; !tryCreate(path); ) {
    const seen = readLock(path)
    if (seen === undefined) continue
    if (isAbandoned(seen)) {
      removeAbandoned(path, seen)
      continue
    }
    if (!announced) console.error('Waiting for another command to finish installing…')
    announced = true
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  return heldLock(path)
}

function heldLock(path) {
  const children = []
  const stopAll = (signal) => {
    for (const child of children) stopGroup(child)
    release()
    process.kill(process.pid, signal)
  }
  const heartbeat = setInterval(() => {
    utimes(path, new Date(), new Date(), () => undefined)
  }, HEARTBEAT_MS)
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  for (const signal of signals) process.on(signal, stopAll)
  function release() {
    clearInterval(heartbeat)
    for (const signal of signals) process.off(signal, stopAll)
    rmSync(path, { force: true })
  }
  function hold(child) {
    if (child.pid === undefined) return
    children.push(child)
    // If this process is killed, its children continue, and other processes must wait for them.
    const running = children.filter(({ exitCode, signalCode }) => (exitCode ?? signalCode) === null)
    writeFileSync(path, [process.pid, ...running.map(({ pid }) => pid)].join(' '))
  }
  return { hold, release }
}

function stopGroup(child) {
  if (child.exitCode !== null || child.signalCode !== null) return
  try {
    // SIGKILL for the whole group: the next run starts the install again.
    process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL')
  } catch {
    // It has just ended.
  }
}

function tryCreate(path) {
  try {
    writeFileSync(path, `${process.pid}`, { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}

function readLock(path) {
  try {
    return { pids: readFileSync(path, 'utf8'), silentMs: Date.now() - statSync(path).mtimeMs }
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    throw error
  }
}

function isAbandoned({ pids, silentMs }) {
  if (pids === '') return silentMs > WRITING_MS
  return silentMs > SILENT_MS || !pids.split(' ').some((pid) => isAlive(Number(pid)))
}

function isAlive(pid) {
  // Containers reuse low numbers, so a lock of an earlier container may contain this process's number.
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** Renames the file before it removes it, so that only one of several processes removes the file. */
function removeAbandoned(path, seen) {
  const aside = `${path}.${process.pid}`
  try {
    renameSync(path, aside)
  } catch (error) {
    if (error.code === 'ENOENT') return
    throw error
  }
  if (readFileSync(aside, 'utf8') === seen.pids) rmSync(aside)
  else renameSync(aside, path)
}
