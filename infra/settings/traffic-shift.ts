/** How an update moves the traffic to its versions, by the value of the setting `trafficShift`. */
export const trafficShifts = {
  none: undefined,
  /** A tenth for five minutes, then everything. */
  canary: 'CodeDeployDefault.LambdaCanary10Percent5Minutes',
  /** A tenth more each minute. */
  linear: 'CodeDeployDefault.LambdaLinear10PercentEvery1Minute',
} as const

export type TrafficShift = keyof typeof trafficShifts
