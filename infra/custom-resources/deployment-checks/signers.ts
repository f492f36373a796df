import { GetKeyPolicyCommand, KMSClient } from '@aws-sdk/client-kms'
import * as v from 'valibot'
import { clientOptions, whenPermitted } from '../aws-calls.ts'
import type { Signers } from './checked-properties.ts'

/** The statement with which a stack denies signing to everybody but the roles of its functions (D70). */
const denial = v.object({
  Effect: v.literal('Deny'),
  Action: v.union([v.string(), v.array(v.string())]),
  Condition: v.object({
    ArnNotEquals: v.object({ 'aws:PrincipalArn': v.union([v.string(), v.array(v.string())]) }),
  }),
})

const policy = v.object({ Statement: v.array(v.unknown()) })

/**
 * A sentence if the policy of a key that the stack has not created, and whose policy it does not change, denies signing to one of these
 * roles (D113): each call of its function would fail. The sentence has the statement that permits it.
 */
export async function signerFaults({ Key: KeyId, Roles }: Signers): Promise<string[]> {
  const client = new KMSClient(clientOptions())
  const { Policy = '{"Statement":[]}' } = await whenPermitted(() =>
    client.send(new GetKeyPolicyCommand({ KeyId })),
  )
  return v.parse(policy, JSON.parse(Policy)).Statement.flatMap((statement) => {
    if (!v.is(denial, statement) || !isOfSigning(statement.Action)) return []
    const permitted = [statement.Condition.ArnNotEquals['aws:PrincipalArn']].flat()
    const missing = Roles.filter((role) => !permitted.includes(role))
    if (missing.length === 0) return []
    const all = { 'aws:PrincipalArn': [...permitted, ...missing] }
    const replacement = { ...statement, Condition: { ArnNotEquals: all } }
    return [
      `The policy of the key ${KeyId} denies kms:Sign to ${missing.join(' and ')}, so players could not sign in with their wallets. Replace its statement ${JSON.stringify(statement)} by ${JSON.stringify(replacement)}.`,
    ]
  })
}

const isOfSigning = (actions: string | readonly string[]): boolean =>
  [actions].flat().some((action) => ['kms:Sign', 'kms:*'].includes(action))
