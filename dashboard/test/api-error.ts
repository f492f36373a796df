import { apiError } from '../../clients/typescript/src/errors.ts'

/** The error of a call that the service has refused. */
export const apiErrorOf = (
  status: number,
  code: string,
  response: Partial<Parameters<typeof apiError>[1]> = {},
) =>
  apiError(
    {
      status,
      code,
      detail: 'Check the network and baseUrl.',
      operation: 'getUsage',
      requestId: 'r1',
    },
    {
      ...{ headers: new Headers(), body: '', errors: [] },
      ...{ retryAfterSeconds: undefined, limit: undefined, ...response },
    },
  )
