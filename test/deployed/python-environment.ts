import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runCommand } from './run-command.ts'

const root = join(import.meta.dirname, '../..')
const folder = join(root, '.venv')
const requirementsFile = join(import.meta.dirname, 'requirements.txt')
/** Written at the end of an installation, so that an incomplete installation is repeated. */
const installedFile = join(folder, 'installed-requirements.txt')

/**
 * Returns the Python of a virtual environment with exactly the packages of requirements.txt. Creates the
 * environment if it is missing, incomplete, or of another requirements.txt. Rejects with a one-sentence
 * message if Python is missing or too old.
 */
export async function pythonEnvironment(): Promise<string> {
  const python = join(folder, 'bin/python')
  const requirements = await readFile(requirementsFile, 'utf8')
  if ((await isInstalled(requirements)) && (await starts(python))) return python
  await checkPython()
  console.error('Installing the emulator (once, about half a minute)…')
  await rm(folder, { recursive: true, force: true })
  await runCommand({
    name: 'python3 -m venv',
    file: 'python3',
    args: ['-m', 'venv', folder],
    seconds: 120,
  })
  const pip = ['-m', 'pip', '--disable-pip-version-check', '--no-input']
  await runCommand({
    name: 'pip install',
    file: python,
    args: [...pip, 'install', '--no-deps', '--requirement', requirementsFile],
    seconds: 600,
  })
  await runCommand({ name: 'pip check', file: python, args: [...pip, 'check'], seconds: 60 })
  await writeFile(installedFile, requirements)
  return python
}

async function isInstalled(requirements: string): Promise<boolean> {
  try {
    return (await readFile(installedFile, 'utf8')) === requirements
  } catch {
    return false
  }
}

/** Returns false if the system's Python, on which the environment depends, was removed. */
async function starts(python: string): Promise<boolean> {
  return await succeeds(python, 'import ministack, cfnlint')
}

async function checkPython(): Promise<void> {
  const isThere = await succeeds('python3', 'pass')
  const isRecent = isThere && (await succeeds('python3', versionCheck))
  if (!isRecent) {
    throw new Error(
      `The AWS emulator needs Python 3.10 or later as python3: ${isThere ? 'this version is older' : 'it was not found'}.`,
    )
  }
  // In some distributions, the package python3 does not contain these modules.
  if (!(await succeeds('python3', 'import venv, ensurepip'))) {
    throw new Error(
      "The AWS emulator needs Python's venv module, which is not installed (on Debian and Ubuntu: apt install python3-venv).",
    )
  }
}

const versionCheck = 'import sys; sys.exit(sys.version_info < (3, 10))'

async function succeeds(python: string, program: string): Promise<boolean> {
  try {
    await runCommand({ name: 'python', file: python, args: ['-c', program], seconds: 60 })
    return true
  } catch {
    return false
  }
}
