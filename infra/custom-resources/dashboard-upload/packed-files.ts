import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The name of the file that lists the packed files, beside the code of the function. */
export const manifestName = 'dashboard.json'

/** The folder of the packed files, beside the code of the function. */
export const filesFolder = 'dashboard'

/** A file of the dashboard, as an element of the manifest. */
export interface ListedFile {
  /** The key of its object in the bucket, which is its URL path without the first slash. */
  readonly key: string
  readonly contentType: string
  readonly cacheControl: string
}

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

/** The files in the order in which they must be in the bucket: a page comes after the files that it names. */
export function uploadOrder<File extends ListedFile>(files: readonly File[]): File[][] {
  const isPage = ({ contentType }: File) => contentType.startsWith('text/html')
  return [files.filter((file) => !isPage(file)), files.filter(isPage)]
}
