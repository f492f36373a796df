import { type KMSClient, SignCommand, type SignCommandInput } from '@aws-sdk/client-kms'
import type { AwsClient } from '../../../lib/adapters/aws/aws-client.ts'

/** A client of the SDK, as a signer of JWTs uses one. */
export const signingClient = (kms: KMSClient): AwsClient => ({
  async send(command) {
    const output: object = await kms.send(new SignCommand(command.input as SignCommandInput))
    return output as Awaited<ReturnType<typeof command.outputOf>>
  },
})
