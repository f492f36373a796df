import { ACMClient, DescribeCertificateCommand } from '@aws-sdk/client-acm'
import { clientOptions } from '../client-options.ts'
import type { NeededCertificate } from './checked-properties.ts'

/** A sentence if the certificate cannot be used for its domain. Rejects with the error of ACM if it does not say. */
export async function certificateFaults(needed: NeededCertificate): Promise<string[]> {
  const fault = await faultOf(needed)
  const { Setting, Arn } = needed
  return fault === undefined
    ? []
    : [`The certificate ${Arn} (${Setting}.certificateArn) cannot be used: ${fault}.`]
}

async function faultOf({ Setting, Arn, Domain }: NeededCertificate): Promise<string | undefined> {
  const options = clientOptions()
  const [, , , region = ''] = Arn.split(':')
  // The settings permit only certificates that CloudFront can use.
  if (Setting === 'domain' && region !== options.region) {
    return `it is in ${region}, and API Gateway needs one in ${options.region}`
  }
  const client = new ACMClient({ ...options, region })
  try {
    const { Certificate = {} } = await client.send(
      new DescribeCertificateCommand({ CertificateArn: Arn }),
    )
    const { Status, DomainName = '', SubjectAlternativeNames: names = [DomainName] } = Certificate
    if (Status !== 'ISSUED') return `its status is ${Status}, not ISSUED`
    if (names.some((name) => isValidFor(name, Domain))) return undefined
    return `it is valid for ${names.join(', ')}, and not for ${Domain}`
  } catch (error) {
    if ((error as Error).name !== 'ResourceNotFoundException') throw error
    return 'it does not exist in this account'
  }
}

/** Whether a name of a certificate covers a domain: `*` stands for one label. */
const isValidFor = (name: string, domain: string): boolean =>
  name === domain || (name.startsWith('*.') && name.slice(1) === domain.slice(domain.indexOf('.')))
