import type { Throttle } from './throttles.ts'

/** The default quota of API Gateway for all APIs of an account in a Region. It rejects a throttle above it. */
export const usualQuota: Throttle = { rateLimit: 10_000, burstLimit: 5_000 }

/** The same in {@link smallRegions}. */
export const smallQuota: Throttle = { rateLimit: 2_500, burstLimit: 1_250 }

/**
 * The Regions with the smaller quota, in the order of the page of AWS:
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html
 */
export const smallRegions = [
  'af-south-1',
  'eu-south-1',
  'ap-southeast-3',
  'me-central-1',
  'ap-south-2',
  'ap-southeast-4',
  'eu-south-2',
  'eu-central-2',
  'il-central-1',
  'ca-west-1',
  'ap-southeast-5',
  'ap-southeast-7',
  'mx-central-1',
] as const

/** The settings of an account whose quota differs from the default. */
export interface QuotaSettings {
  readonly gatewayRequestsPerSecond?: number | undefined
  readonly gatewayBurst?: number | undefined
}

/** The quota of the settings, which replaces the default of the Region. */
export const quotaOf = (
  { gatewayRequestsPerSecond, gatewayBurst }: QuotaSettings,
  ofRegion: Throttle,
): Throttle => ({
  rateLimit: gatewayRequestsPerSecond ?? ofRegion.rateLimit,
  burstLimit: gatewayBurst ?? ofRegion.burstLimit,
})
