/** The beginnings of the Regions of each partition of AWS but the first, and the ends of its host names. */
const suffixes = {
  'cn-': 'amazonaws.com.cn',
  'eusc-': 'amazonaws.eu',
  'us-iso-': 'c2s.ic.gov',
  'us-isob-': 'sc2s.sgov.gov',
  'eu-isoe-': 'cloud.adc-e.uk',
  'us-isof-': 'csp.hci.ic.gov',
}

/** The endpoint of a service in a Region: neither the one for FIPS nor the one of the dual stack. */
export function awsEndpoint(hostLabel: string, region: string): URL {
  const partition = Object.entries(suffixes).find(([beginning]) => region.startsWith(beginning))
  return new URL(`https://${hostLabel}.${region}.${partition?.[1] ?? 'amazonaws.com'}`)
}
