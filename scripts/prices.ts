/** List prices of us-east-1 without discounts, in dollars; docs/costs.md#sources has their sources and date. */
export const prices = {
  httpRequest: { perMillion: 1, unit: 'HTTP API requests, counted in units of 512 KB' },
  invocation: { perMillion: 0.2, unit: 'Lambda invocations' },
  readUnit: { perMillion: 0.125, unit: 'RRU: a consistent read of up to 4 KB is 1' },
  writeUnit: {
    perMillion: 0.625,
    unit: 'WRU: a write of up to 1 KB is 1, even if its condition fails',
  },
  kmsRequest: { perMillion: 15, unit: 'KMS requests with an ECC key: `Sign` and `GetPublicKey`' },
  secretsRequest: { perMillion: 5, unit: 'Secrets Manager requests' },
  sqsRequest: { perMillion: 0.4, unit: 'SQS requests of up to 64 KB' },
  computeUnit: { perMillion: 0.525, unit: 'CU, pay as you go' },
} as const satisfies Record<string, { perMillion: number; unit: string }>
