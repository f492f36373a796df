import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { filesFolder, type ListedFile, manifestName } from './manifest.ts'

/** A file of the dashboard with its content. */
export interface PackedFile extends ListedFile {
  readonly body: Uint8Array
}

/** The files that the deployment package of the function contains. */
export async function packedFiles(): Promise<PackedFile[]> {
  const { LAMBDA_TASK_ROOT: root = '' } = process.env
  const listed: ListedFile[] = JSON.parse(await readFile(join(root, manifestName), 'utf8'))
  return Promise.all(
    listed.map(async (file) => ({
      ...file,
      body: await readFile(join(root, filesFolder, file.key)),
    })),
  )
}
