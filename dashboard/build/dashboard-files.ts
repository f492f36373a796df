/** A file of the dashboard as a web server sends it. */
export interface DashboardFile {
  body: Uint8Array
  contentType: string
  cacheControl: string
}

/** The files of the dashboard by their URL paths. Every page of the dashboard is `/index.html`. */
export type DashboardFiles = ReadonlyMap<string, DashboardFile>

const contentTypes: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  png: 'image/png',
  svg: 'image/svg+xml',
  txt: 'text/plain; charset=utf-8',
}

/**
 * Returns a file with the headers for its path. A file whose name has a digest of its content can be kept for a year;
 * browsers ask for each other file again.
 */
export function dashboardFile(path: string, content: string | Uint8Array): DashboardFile {
  const extension = path.slice(path.lastIndexOf('.') + 1)
  const contentType = contentTypes[extension]
  if (contentType === undefined) throw new Error(`${path} has no known content type`)
  const isHashed = /-[0-9A-Z]{8}\.\w+$/.test(path)
  return {
    body: typeof content === 'string' ? new TextEncoder().encode(content) : content,
    contentType,
    cacheControl: isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
  }
}
