import { spawn } from 'node:child_process'
import { delimiter, dirname } from 'node:path'

const QUIET = ['--no-audit', '--no-fund', '--loglevel=error']

/**
 * Runs npm with `args` in the folder `root`, with the Node at `node` (by default npm's own). Prints nothing.
 * Rejects with npm's output if npm fails. `lock` ends npm when a signal ends this process.
 */
export function npm(args, { root, lock, node }) {
  const [command, ...cli] = npmCommand(node)
  const child = spawn(command, [...cli, ...args, ...QUIET], {
    cwd: root,
    env: node ? environmentWithFirst(dirname(node)) : process.env,
    stdio: ['ignore', 'pipe', 'pipe'],
    // A process group, so that a signal to the group also ends npm's children.
    detached: process.platform !== 'win32',
    shell: command.endsWith('.cmd'),
  })
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
      const failure = `Installing dependencies failed: npm ${args[0]} ended with ${code}.`
      reject(new Error(`${output}\n${failure} Is the network there? Then run the command again.`))
    })
  })
}

/** Returns the command of the npm that started this process, or of the npm on the path. */
function npmCommand(node) {
  const { npm_execpath: cli, npm_node_execpath: ownNode = process.execPath } = process.env
  if (cli?.endsWith('npm-cli.js')) return [node ?? ownNode, cli]
  return [process.platform === 'win32' ? 'npm.cmd' : 'npm']
}

/** Returns the environment of this process, with `directories` first on the path. */
export function environmentWithFirst(...directories) {
  const name = Object.keys(process.env).find((key) => key.toUpperCase() === 'PATH') ?? 'PATH'
  const path = [...directories, process.env[name]].filter(Boolean).join(delimiter)
  return { ...process.env, [name]: path }
}
