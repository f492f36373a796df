import type { VariableName } from '../../lib/settings/setting-table.ts'
import { environment, type Grant } from '../lambda/grant.ts'
import { type Settings, variablesOf } from '../settings/settings.ts'
import type { ServiceTable } from './service-table.ts'

/**
 * The settings of the limits, and the permissions for their counters, by the callers that they limit (D47).
 * Counters are read together with another item, in one request, and a function without a limit reads none.
 */
export function limitGrants(table: ServiceTable, settings: Settings) {
  const grants = (names: readonly VariableName[], ifLimited: Grant[], otherwise: Grant[] = []) => {
    const variables = variablesOf(settings, ...names)
    const isLimited = Object.keys(variables).length > 0
    return [environment(variables), ...(isLimited ? ifLimited : otherwise)]
  }
  const indexer = [
    'INDEXER_CALLS_PER_PRODUCT_AND_MINUTE',
    'INDEXER_CALLS_PER_PRODUCT_AND_DAY',
  ] as const
  const clientIndexer = [
    'CLIENT_INDEXER_CALLS_PER_PRODUCT_AND_MINUTE',
    'CLIENT_INDEXER_CALLS_PER_PRODUCT_AND_DAY',
  ] as const
  const clientReads = 'CLIENT_READS_PER_PLAYER_AND_MINUTE'
  const allowlisting = ['ALLOWLISTED_NFTS_PER_PRODUCT_AND_MINUTE', 'NFTS_PER_PRODUCT'] as const
  const proofs = [
    'SIGN_INS_PER_HOUR',
    'SIGN_INS_PER_ADDRESS_AND_HOUR',
    'REFUSED_SIGN_INS_PER_ADDRESS_AND_HOUR',
  ] as const
  const contractChecks = [
    'CONTRACT_CHECKS_PER_HOUR',
    'CONTRACT_CHECKS_PER_ADDRESS_AND_HOUR',
    'CONTRACT_CHECKS_PER_ACCOUNT_AND_HOUR',
  ] as const
  const deviceCodes = ['DEVICE_CODES_PER_HOUR', 'DEVICE_CODES_PER_ADDRESS_AND_HOUR'] as const
  const spendsSignIns = [
    table.grantReadOf(['NETWORK', 'SIGN_INS'], 'GetItem'),
    table.grantWrite(['NETWORK', 'SIGN_INS'], 'UpdateItem'),
  ]
  const newKeys = 'NEW_KEYS_PER_PRODUCT_AND_DAY'
  return {
    registration: grants(
      ['REGISTRATIONS_PER_HOUR', 'REGISTRATIONS_PER_ADDRESS_AND_HOUR'],
      [table.grantRead('GetItem'), table.grantWrite(['REGISTRATIONS'], 'UpdateItem')],
    ),
    indexer: grants(indexer, [table.grantRead('BatchGetItem')]),
    clientIndexer: [environment(variablesOf(settings, ...clientIndexer))],
    clientReads: grants([clientReads], [table.grantWrite(['PLAYER'], 'UpdateItem')]),
    refresh: [environment(variablesOf(settings, 'REFRESHED_NFTS'))],
    worker: grants(indexer, [table.grantWrite(['PRODUCT'], 'UpdateItem')]),
    allowlisting: grants(allowlisting, [table.grantRead('BatchGetItem')]),
    newKeys: grants([newKeys], [table.grantRead('BatchGetItem')]),
    shown: [
      environment(
        variablesOf(settings, ...indexer, ...clientIndexer, clientReads, ...allowlisting, newKeys),
      ),
    ],
    proofs: grants(proofs, spendsSignIns),
    contractChecks: grants(contractChecks, spendsSignIns),
    deviceCodes: grants(deviceCodes, spendsSignIns),
    deviceGuesses: grants(
      ['DEVICE_GUESSES_PER_HOUR'],
      [
        table.grantReadOf(['NETWORK', 'PLAYER'], 'GetItem'),
        table.grantWrite(['NETWORK', 'PLAYER'], 'UpdateItem'),
      ],
    ),
    webhookTests: [
      ...grants(
        ['WEBHOOK_TESTS_PER_PRODUCT_AND_HOUR'],
        [table.grantWrite(['PRODUCT'], 'UpdateItem')],
      ),
      ...grants(
        ['WEBHOOK_TESTS_PER_HOST_AND_HOUR'],
        [table.grantWrite(['WEBHOOK_HOST'], 'UpdateItem')],
      ),
    ],
    webhookReplays: grants(
      ['WEBHOOK_REPLAYS_PER_HOUR'],
      [table.grantWrite(['PRODUCT'], 'UpdateItem')],
    ),
    playerToken: [environment(variablesOf(settings, 'PLAYER_TOKENS_PER_USER_AND_HOUR'))],
    playerDetails: grants(
      ['PLAYER_DETAILS_PER_PLAYER_AND_MINUTE'],
      [table.grantRead('BatchGetItem'), table.grantWrite(['PLAYER'], 'UpdateItem')],
      [table.grantRead('GetItem')],
    ),
  }
}
