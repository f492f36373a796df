import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda'

/** An error response. */
export class HttpError extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

type Run = (event: APIGatewayProxyEventV2) => Promise<unknown>

/** Makes a handler of a function that returns `data`. */
export const handlerOf =
  (run: Run) =>
  async (event: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2> => {
    try {
      return respond(200, { data: await run(event), success: true })
    } catch (error) {
      if (error instanceof HttpError) {
        return respond(error.status, { success: false, message: error.message })
      }
      console.error(error)
      return respond(500, { success: false, message: 'Internal error' })
    }
  }

const respond = (statusCode: number, body: unknown) => ({
  statusCode,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

export const bodyOf = (event: APIGatewayProxyEventV2) => JSON.parse(event.body ?? '{}')
export const queryOf = (event: APIGatewayProxyEventV2) => event.queryStringParameters ?? {}
