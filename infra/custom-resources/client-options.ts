/** The options of every AWS client of a custom resource: time limits that end each attempt, in milliseconds. */
export const clientOptions = () => ({
  region: process.env['AWS_REGION'] ?? '',
  maxAttempts: 3,
  requestHandler: { connectionTimeout: 3_000, requestTimeout: 3_000, throwOnRequestTimeout: true },
})
