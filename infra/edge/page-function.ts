import { referencePath } from '../../dashboard/build/api-reference.ts'
import { pagePaths } from '../../dashboard/shell/page-paths.ts'

/**
 * The code of the CloudFront function that names the file of each page, as the local stack does: every page of the
 * dashboard is `index.html`, so that links into the dashboard work. Other paths are names of files, and S3 responds
 * with 404 if there is no such file. CloudFront's JavaScript has no destructuring.
 */
export const pageFunction = (): string => `const pages = ${pagePattern()}

function handler(event) {
  const request = event.request
  if (request.uri === '/docs/') {
    return {
      statusCode: 308,
      statusDescription: 'Permanent Redirect',
      headers: { location: { value: '/docs' } },
    }
  }
  if (request.uri === '/docs') request.uri = '${referencePath}'
  else if (pages.test(request.uri)) request.uri = '/index.html'
  return request
}
`

/** A pattern of the paths of all pages. A slash at the end does not count. */
function pagePattern(): RegExp {
  const paths = Object.values(pagePaths).map((path) =>
    path.replace(/\/$/, '').replaceAll(/:\w+/g, '[^/]+'),
  )
  return new RegExp(`^(?:${paths.join('|')})/?$`)
}
