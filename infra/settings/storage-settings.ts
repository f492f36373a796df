import * as v from 'valibot'
import { wholeNumber } from '../../lib/settings/forms.ts'
import { objectOf } from '../../lib/settings/object-form.ts'
import type { SettingTable } from '../../lib/settings/setting.ts'
import { arn, backupVaultArn, secretArn } from './arn-forms.ts'
import { backupVaultName, tableName, yesOrNo } from './forms.ts'

/** The settings of what a deployment stores: its table, its backups and its secret (D44, D70, D76). */
export const storageSettings = {
  restoredTable: {
    meaning:
      "the name of a table that replaces the stack's own table: a restored table ([restoring](runbook.md#restoring-the-table)), or that of a removed stack ([making a removed stack again](changes.md#making-a-removed-stack-again))",
    form: tableName,
    optional: true,
  },
  leaveTable: {
    meaning:
      'the name of the table in `restoredTable` that a deployment may leave for another table: without it, such a deployment is refused ([leaving a restored table](runbook.md#leaving-a-restored-table))',
    form: tableName,
    optional: true,
  },
  tableKeyArn: {
    meaning:
      'the ARN of a KMS key of yours that encrypts the table ([the key of the table](changes.md#the-key-of-the-table)). Without it, DynamoDB uses a key of its own, which costs nothing',
    form: arn('kms', 'key', 'a KMS key'),
    optional: true,
  },
  backup: {
    meaning:
      'a daily backup of the table, and its copy in a vault of another account: `{"vault": "player-nfts", "copyTo": "arn:aws:backup:…", "keepDays": 35}` ([backups in another account](changes.md#backups-in-another-account))',
    form: objectOf(
      {
        vault: backupVaultName,
        copyTo: backupVaultArn,
        keepDays: v.optional(wholeNumber(1, 36_500), 35),
      },
      'must be {"vault", "copyTo"}, with or without "keepDays"',
    ),
    optional: true,
  },
  indexerSecretArn: {
    meaning:
      "the ARN of a secret with the key for the indexer, which replaces the stack's own secret ([making a removed stack again](changes.md#making-a-removed-stack-again))",
    form: secretArn,
    optional: true,
  },
  maintenance: {
    meaning:
      'whether every operation that needs the table responds with 503 and the background work pauses ([restoring](runbook.md#restoring-the-table))',
    form: yesOrNo,
    default: false,
  },
  keepData: {
    meaning:
      'deletion protection and termination protection: table, keys, secret and logs remain when the stack is deleted',
    form: yesOrNo,
  },
} as const satisfies SettingTable
