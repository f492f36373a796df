/** The function for a method and a path. A part of the path in braces is a parameter: `/keys/{keyId}`. */
export interface GatewayRoute {
  method: string
  path: string
  functionName: string
}

/** The route of a request, with the values of its path parameters. */
export interface MatchedRoute {
  functionName: string
  routeKey: string
  pathParameters: Record<string, string> | undefined
}

export type RouteTable = ReturnType<typeof routeTable>

/**
 * Returns the table of the routes. As in API Gateway, a path without parameters takes precedence, and a
 * parameter takes one part of a path, which is not empty.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-routes.html
 */
export function routeTable(routes: readonly GatewayRoute[]) {
  const exact = new Map<string, MatchedRoute>()
  const templates: { method: string; pattern: RegExp; route: MatchedRoute }[] = []
  for (const { method, path, functionName } of routes) {
    const routeKey = `${method} ${path}`
    const route = { functionName, routeKey, pathParameters: undefined }
    if (path.includes('{')) templates.push({ method, pattern: patternOf(path), route })
    else exact.set(routeKey, route)
  }
  return (method: string, path: string): MatchedRoute | undefined => {
    const found = exact.get(`${method} ${path}`)
    if (found) return found
    const template = templates.find((each) => each.method === method && each.pattern.test(path))
    return template && { ...template.route, pathParameters: parametersIn(path, template.pattern) }
  }
}

const parametersIn = (path: string, pattern: RegExp) => ({ ...pattern.exec(path)?.groups })

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`)
