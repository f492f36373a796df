import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runCommand } from './run-command.ts'

const root = join(import.meta.dirname, '../..')

/** A Python program that tests run, and the packages that it consists of. */
export interface PythonProgram {
  name: string
  /** The name of the virtual environment's folder. */
  folder: string
  /** The file that pins every package. */
  requirementsFile: string
  /** Modules that can be imported if the installation works. */
  modules: string
}

/** The AWS emulator of `npm run test:deployed`. */
export const ministackProgram: PythonProgram = {
  name: 'the emulator',
  folder: '.venv',
  requirementsFile: join(import.meta.dirname, 'requirements.txt'),
  modules: 'ministack, cfnlint',
}

/**
 * Returns the Python of a virtual environment with exactly the packages of the requirements file. Creates the
 * environment if it is missing, incomplete, or of another version of the file. Rejects with a one-sentence
 * message if Python is missing or too old.
 */
export async function pythonEnvironment(program: PythonProgram): Promise<string> {
  const folder = join(root, program.folder)
  // Written at the end of an installation, so that an incomplete installation is repeated.
  const installedFile = join(folder, 'installed-requirements.txt')
  const python = join(folder, 'bin/python')
  const { requirementsFile, modules } = program
  const requirements = await readFile(requirementsFile, 'utf8')
  // The import fails if the system's Python, on which the environment depends, was removed.
  const isInstalled = (await textOf(installedFile)) === requirements
  if (isInstalled && (await succeeds(python, `import ${modules}`))) return python
  await checkPython(program.name)
  console.error(`Installing ${program.name} (once, about half a minute)…`)
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

const textOf = (file: string): Promise<string | undefined> =>
  readFile(file, 'utf8').catch(() => undefined)

async function checkPython(name: string): Promise<void> {
  const needing = `${name[0]?.toUpperCase()}${name.slice(1)} needs`
  const isThere = await succeeds('python3', 'pass')
  const isRecent = isThere && (await succeeds('python3', versionCheck))
  if (!isRecent) {
    throw new Error(
      `${needing} Python 3.10 or later as python3: ${isThere ? 'this version is older' : 'it was not found'}.`,
    )
  }
  // In some distributions, the package python3 does not contain these modules.
  if (!(await succeeds('python3', 'import venv, ensurepip'))) {
    throw new Error(
      `${needing} Python's venv module, which is not installed (on Debian and Ubuntu: apt install python3-venv).`,
    )
  }
}

const versionCheck = 'import sys; sys.exit(sys.version_info < (3, 10))'

const succeeds = (python: string, program: string): Promise<boolean> =>
  runCommand({ name: 'python', file: python, args: ['-c', program], seconds: 60 }).then(
    () => true,
    () => false,
  )
